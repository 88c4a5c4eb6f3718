package dev.errand.daemon.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** The digest of a token; the token itself is not stored. */
final class Secret {
  /** A fixed prefix, by which scanners find a token that was committed to a repository. */
  private static final String PREFIX = "errand_";

  private static final int RANDOM_BYTES = 32;
  private static final int KEY_ID_CHARS = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] digest;

  private Secret(byte[] digest) {
    this.digest = digest;
  }

  /** A new random token. */
  static String fresh() {
    var random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  static Secret of(String token) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      return new Secret(sha256.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static Secret ofHex(String digest) {
    return new Secret(HexFormat.of().parseHex(digest));
  }

  String hex() {
    return HexFormat.of().formatHex(digest);
  }

  String keyId() {
    return hex().substring(0, KEY_ID_CHARS);
  }

  /** Takes the same time whether the two are alike or not. */
  boolean matches(Secret shown) {
    return MessageDigest.isEqual(digest, shown.digest);
  }

  @Override
  public String toString() {
    return "Secret";
  }
}
