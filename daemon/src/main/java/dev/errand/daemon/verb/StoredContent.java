package dev.errand.daemon.verb;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Bytes of an artifact, or of a log that may still grow: a door copies what it wants of them. */
public interface StoredContent {

  /** Takes bytes in their order; a slow one holds up who copies. */
  interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  /** How many there were when they were asked for. */
  long length();

  /** The digest that names them; null for those that may become more. */
  @Nullable String sha256();

  /** For a page: at most so many, and fewer where what follows is missing or damaged. */
  byte[] read(long offset, int max);

  /**
   * Copies a range that is within the length, or fails. The last bytes of a whole artifact are let
   * out only if all of them together have its digest.
   *
   * @throws IOException where the sink fails, or the bytes cannot be read
   */
  void copyTo(Sink sink, long offset, long length) throws IOException;
}
