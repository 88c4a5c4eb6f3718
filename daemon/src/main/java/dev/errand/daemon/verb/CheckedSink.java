package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The target of a copy of a whole artifact. The last piece is passed on only if all pieces together
 * have the digest of the artifact: a caller that receives all bytes has the right ones.
 */
final class CheckedSink implements StoredContent.Sink {
  private static final System.Logger LOG = System.getLogger(CheckedSink.class.getName());

  private final StoredContent.Sink sink;
  private final String sha256;
  private final MessageDigest digest = Digests.sha256();
  private long left;

  CheckedSink(StoredContent.Sink sink, String sha256, long length) {
    this.sink = sink;
    this.sha256 = sha256;
    this.left = length;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    digest.update(bytes.duplicate());
    left -= bytes.remaining();
    if (left == 0 && !HexFormat.of().formatHex(digest.digest()).equals(sha256)) {
      LOG.log(Level.ERROR, "artifact {0} is damaged: its bytes have another digest", sha256);
      throw new ErrandException(
          ErrorCode.ARTIFACT_DAMAGED,
          "the bytes of this artifact were changed on disk; the remaining ones can be read by"
              + " range");
    }
    sink.write(bytes);
  }
}
