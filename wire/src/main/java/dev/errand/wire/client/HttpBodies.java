package dev.errand.wire.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;

/** The ways in which an answer's body is delimited. */
final class HttpBodies {
  private static final int CHUNK_LINE_BYTES_MAX = 4 * 1024;

  private HttpBodies() {}

  /** A body that knows its end; {@code atEnd} is called once when all of it was read. */
  static InputStream of(Map<String, String> headers, InputStream in, Runnable atEnd)
      throws IOException {
    var encoding = headers.getOrDefault("transfer-encoding", "").toLowerCase(Locale.ROOT);
    if (encoding.equals("chunked")) {
      return new Chunked(in, atEnd);
    }
    if (!encoding.isEmpty()) {
      throw new BadAnswerException("the answer is encoded as " + encoding);
    }
    var length = headers.get("content-length");
    // Without a length the body ends with the connection, which then cannot be used again.
    return length == null ? in : new Fixed(in, number(length, 10), atEnd);
  }

  private static long number(String text, int radix) throws BadAnswerException {
    try {
      var value = Long.parseLong(text.strip(), radix);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, together with negative ones.
    }
    throw new BadAnswerException("the answer has a wrong length: " + text);
  }

  /** Exactly this many bytes. */
  private static final class Fixed extends InputStream {
    private final InputStream in;
    private final Runnable atEnd;
    private long remaining;

    Fixed(InputStream in, long length, Runnable atEnd) {
      this.in = in;
      this.remaining = length;
      this.atEnd = atEnd;
      if (length == 0) {
        atEnd.run();
      }
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (remaining == 0) {
        return -1;
      }
      var count = in.read(into, offset, (int) Math.min(length, remaining));
      if (count < 0) {
        throw new EOFException("the connection ended " + remaining + " bytes before the answer");
      }
      remaining -= count;
      if (remaining == 0) {
        atEnd.run();
      }
      return count;
    }
  }

  /** Chunked: chunks with a length before each, up to an empty one. */
  private static final class Chunked extends InputStream {
    private final InputStream in;
    private final Runnable atEnd;
    private long remaining;
    private boolean lineDue;
    private boolean over;

    Chunked(InputStream in, Runnable atEnd) {
      this.in = in;
      this.atEnd = atEnd;
    }

    @Override
    public int read() throws IOException {
      if (!inChunk()) {
        return -1;
      }
      var next = in.read();
      took(next < 0 ? -1 : 1);
      return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (!inChunk()) {
        return -1;
      }
      var count = in.read(into, offset, (int) Math.min(length, remaining));
      took(count);
      return count;
    }

    private void took(int count) throws IOException {
      if (count < 0) {
        throw new EOFException("the connection ended inside the answer");
      }
      remaining -= count;
      lineDue = remaining == 0;
    }

    private boolean inChunk() throws IOException {
      if (remaining == 0 && !over) {
        if (lineDue) {
          // Read only now: a server may send the line end of a chunk with the next chunk.
          line();
        }
        var size = line();
        var extension = size.indexOf(';');
        remaining = number(extension < 0 ? size : size.substring(0, extension), 16);
        over = remaining == 0;
        if (over) {
          skipTrailers();
          atEnd.run();
        }
      }
      return !over;
    }

    private void skipTrailers() throws IOException {
      while (!line().isEmpty()) {
        // Trailers are ignored.
      }
    }

    private String line() throws IOException {
      var line = HttpInput.line(in, CHUNK_LINE_BYTES_MAX);
      if (line == null) {
        throw new EOFException("the connection ended inside the answer");
      }
      return line;
    }
  }
}
