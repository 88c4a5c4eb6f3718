package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A token as it is shown: what it is good for, and nothing that opens a door.
 *
 * @param profile the word of the highest profile that its holder has
 * @param session the only session that its holder sees; null: all of them
 * @param keyId tells the secrets of one name apart without telling any of them
 * @param mintedBy the token by which it was made, or who made it
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
