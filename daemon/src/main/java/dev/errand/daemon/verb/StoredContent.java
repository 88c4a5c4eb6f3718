package dev.errand.daemon.verb;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of an artifact, or of a log that may still grow: a door copies the ranges that it needs.
 */
public interface StoredContent {

  /** Takes bytes in order; a slow one delays the copy. */
  interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  /** The length at the time of the request. */
  long length();

  /** The digest of the bytes; null if more may follow. */
  @Nullable String sha256();

  /** For a page: at most this many bytes, fewer if the following ones are missing or damaged. */
  byte[] read(long offset, int max);

  /**
   * Copies a range within the length, or fails. The last bytes of a whole artifact are passed on
   * only if all of them together have its digest.
   *
   * @throws IOException if the sink fails, or the bytes cannot be read
   */
  void copyTo(Sink sink, long offset, long length) throws IOException;
}
