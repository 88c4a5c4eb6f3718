package dev.errand.wire.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The bytes that arrive on a connection, by lines and by blocks. */
final class HttpInput extends InputStream {
  private static final int BUFFER_BYTES = 32 * 1024;

  private final ReadableByteChannel channel;
  private final Runnable onArrival;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).flip();

  /** Calls {@code onArrival} whenever bytes have come in. */
  HttpInput(ReadableByteChannel channel, Runnable onArrival) {
    this.channel = channel;
    this.onArrival = onArrival;
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    var count = Math.min(length, buffer.remaining());
    buffer.get(into, offset, count);
    return count;
  }

  /** The next line without its end, as UTF-8; null at the end of the input. */
  static @Nullable String line(InputStream in, int bytesMax) throws IOException {
    var line = new ByteArrayOutputStream();
    var next = in.read();
    if (next < 0) {
      return null;
    }
    while (next != '\n') {
      if (next < 0) {
        throw new EOFException("the connection ended inside a line");
      }
      if (line.size() == bytesMax) {
        throw new BadAnswerException("a line of the answer has more than " + bytesMax + " bytes");
      }
      line.write(next);
      next = in.read();
    }
    var text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    buffer.clear();
    var count = channel.read(buffer);
    buffer.flip();
    onArrival.run();
    return count > 0;
  }
}
