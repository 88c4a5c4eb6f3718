package dev.errand.daemon.surface.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.function.Supplier;

/** Knows which tokens open the TCP door. */
public interface TokenCheck {

  /** The name under which this token was given out; empty for a token of nobody. */
  Optional<String> nameOf(String token);

  /**
   * One token, of which only the SHA-256 is held; asked anew each time, so that a change of the
   * token counts at once.
   */
  static TokenCheck ofHash(String name, Supplier<byte[]> sha256) {
    return token ->
        MessageDigest.isEqual(hash(token), sha256.get()) ? Optional.of(name) : Optional.empty();
  }

  static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
