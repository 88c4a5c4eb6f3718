package dev.errand.daemon.home;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** The secret that TCP clients must show; only its digest is kept in memory. */
public final class Token {
  private static final int RANDOM_BYTES = 32;

  private final byte[] digest;

  private Token(byte[] digest) {
    this.digest = digest;
  }

  /** Reads the token, or makes one where there is none. */
  public static Token at(Path file) throws IOException {
    if (!Files.exists(file)) {
      var random = new byte[RANDOM_BYTES];
      new SecureRandom().nextBytes(random);
      PrivateFile.write(file, Base64.getUrlEncoder().withoutPadding().encode(random));
    }
    var text = Files.readString(file).strip();
    if (text.isEmpty()) {
      throw new HomeRefused(file + " is empty; remove it, and a new token is made");
    }
    return new Token(sha256(text));
  }

  /** Compares in constant time. */
  public boolean matches(String shown) {
    return MessageDigest.isEqual(digest, sha256(shown));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "Token";
  }
}
