package dev.errand.daemon.verb;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

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

  /** The digest of a request: the name of its verb, and each of its words, separated. */
  static String of(String name, List<String> words) {
    var all = sha256();
    all.update(sha256().digest(name.getBytes(StandardCharsets.UTF_8)));
    for (var word : words) {
      all.update(sha256().digest(word.getBytes(StandardCharsets.UTF_8)));
    }
    return HexFormat.of().formatHex(all.digest());
  }

  public static String hex(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }
}
