package dev.errand.daemon.access;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * What a token is good for.
 *
 * @param session the only session that its holder sees; null: all of them
 * @param home the session that is its holder's own: the one that it is kept to, or else that of the
 *     token by which it was made, or else the one of its name
 * @param keyId tells the secrets of one name apart without telling any of them
 * @param mintedBy the token by which it was made, or who made it
 */
public record Grant(
    String name,
    Profile profile,
    @Nullable SessionId session,
    SessionId home,
    String keyId,
    String mintedBy,
    long issuedAtMs) {

  /** Whether a token of these rights gives nothing that this one does not. */
  boolean covers(Profile other, @Nullable SessionId otherSession) {
    return other.atMost(profile) == other && (session == null || session.equals(otherSession));
  }
}
