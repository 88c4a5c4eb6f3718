package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A token without its secret: its name and its rights.
 *
 * @param profile the word of its highest profile
 * @param session the only session that its holder sees; null: all of them
 * @param keyId distinguishes the secrets of one name without revealing them
 * @param mintedBy the token that created it, or who created it
 */
public record TokenView(
    String name,
    String profile,
    @Nullable SessionId session,
    String keyId,
    String mintedBy,
    long issuedAtMs) {

  static TokenView of(Grant grant) {
    return new TokenView(
        grant.name(),
        grant.profile().word(),
        grant.session(),
        grant.keyId(),
        grant.mintedBy(),
        grant.issuedAtMs());
  }
}
