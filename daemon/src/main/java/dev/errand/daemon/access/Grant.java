package dev.errand.daemon.access;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * The rights of a token.
 *
 * @param session the only session that its holder sees; null: all of them
 * @param home its holder's own session: the one that it is bound to, or else that of the token that
 *     created it, or else the one with its name
 * @param keyId distinguishes the secrets of one name without revealing them
 * @param mintedBy the token that created it, or who created it
 */
public record Grant(
    String name,
    Profile profile,
    @Nullable SessionId session,
    SessionId home,
    String keyId,
    String mintedBy,
    long issuedAtMs) {

  /** Whether a token with these rights has no right that this one lacks. */
  boolean covers(Profile other, @Nullable SessionId otherSession) {
    return other.atMost(profile) == other && (session == null || session.equals(otherSession));
  }
}
