package dev.errand.host.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits the bytes of a channel into lines of bounded length. */
final class ChannelLines {
  static final int LINE_BYTES_MAX = 8 << 20;
  private static final int BUFFER_BYTES = 16 << 10;

  private final ReadableByteChannel channel;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;

  ChannelLines(ReadableByteChannel channel) {
    this.channel = channel;
  }

  /** The next line without its line end, or null at the end. */
  byte @Nullable [] next() throws IOException {
    var searched = start;
    while (true) {
      for (; searched < end; searched++) {
        if (buffer[searched] == '\n') {
          var line = Arrays.copyOfRange(buffer, start, searched);
          start = searched + 1;
          return line;
        }
      }
      var before = start;
      makeRoom();
      searched -= before - start;
      var count = channel.read(ByteBuffer.wrap(buffer, end, buffer.length - end));
      if (count < 0) {
        return null;
      }
      end += count;
    }
  }

  /** Moves the incomplete line to the front; a long one gets a larger buffer, up to the limit. */
  private void makeRoom() throws IOException {
    if (end < buffer.length) {
      return;
    }
    var length = end - start;
    if (length >= LINE_BYTES_MAX) {
      throw new IOException("a line of more than " + LINE_BYTES_MAX + " bytes");
    }
    // A buffer that grew for a long line is replaced after that line.
    var bytes = Math.max(BUFFER_BYTES, length > buffer.length / 2 ? buffer.length * 2 : length * 2);
    var moved = new byte[Math.min(bytes, LINE_BYTES_MAX + 1)];
    System.arraycopy(buffer, start, moved, 0, length);
    buffer = moved;
    start = 0;
    end = length;
  }
}
