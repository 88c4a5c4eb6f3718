package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.verb.Digests;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Where the whole of an artifact goes. The last piece is let out only if all of them together have
 * the digest that names the artifact: who gets all bytes has the right ones.
 */
final class CheckedOutlet {
  private static final System.Logger LOG = System.getLogger(CheckedOutlet.class.getName());

  private final Outlet outlet;
  private final String sha256;
  private final MessageDigest digest = Digests.sha256();
  private long left;

  CheckedOutlet(Outlet outlet, String sha256, long length) {
    this.outlet = outlet;
    this.sha256 = sha256;
    this.left = length;
  }

  void write(ByteBuffer bytes) throws IOException {
    digest.update(bytes.duplicate());
    left -= bytes.remaining();
    if (left == 0 && !HexFormat.of().formatHex(digest.digest()).equals(sha256)) {
      LOG.log(Level.ERROR, "artifact {0} is damaged: its bytes have another digest", sha256);
      throw new ErrandException(
          ErrorCode.ARTIFACT_DAMAGED,
          "the bytes of this artifact were changed on the disk; what is left of them can be had by"
              + " range");
    }
    outlet.write(bytes);
  }
}
