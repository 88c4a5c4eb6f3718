package dev.errand.daemon.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Proves to a target that this daemon made a delivery, and when. */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  /** The value of the header: the time in seconds, and the digest of that time and the body. */
  static String of(byte[] secret, long seconds, byte[] body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update((seconds + ".").getBytes(UTF_8));
      return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
