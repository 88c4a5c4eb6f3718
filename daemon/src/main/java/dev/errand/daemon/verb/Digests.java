package dev.errand.daemon.verb;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 as text. */
public final class Digests {

  private Digests() {}

  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static String hex(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }
}
