package dev.errand.host;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The end of a file that whoever started a daemon or a host opened for it. When it is full, what it
 * holds goes to a file beside it, in the place of what was there, and it begins anew.
 *
 * <p>It is copied and cut, not renamed: the JVM writes to the same open file and knows no other.
 */
public final class OwnLog extends OutputStream {
  /** So large it grows, and the one before it is as large. */
  static final long BYTES_MAX = 32L << 20;

  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private final FileChannel channel;
  private final Path file;
  private final Path before;
  private final long bytesMax;

  /** {@code channel} writes at the end of {@code file}, wherever that is. */
  OwnLog(FileChannel channel, Path file, long bytesMax) {
    this.channel = channel;
    this.file = file;
    this.before = file.resolveSibling(file.getFileName() + ".1");
    this.bytesMax = bytesMax;
  }

  /**
   * Makes of standard error a log that does not grow for ever, where it is this file. It is written
   * as a channel in any case: a stream of a file takes each write for a long wait, and whenever a
   * virtual thread writes a line, it wakes another thread to stand in for its carrier.
   */
  public static void takeStandardError(Path file) {
    @SuppressWarnings("resource") // It belongs to the process.
    var channel = new FileOutputStream(FileDescriptor.err).getChannel();
    var out =
        isStandardError(file)
            ? new OwnLog(channel, file, BYTES_MAX)
            : Channels.newOutputStream(channel);
    System.setErr(new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private static boolean isStandardError(Path file) {
    try {
      return Files.isSameFile(STANDARD_ERROR, file);
    } catch (IOException _) {
      return false;
    }
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    if (channel.size() + length > bytesMax) {
      beginAnew();
    }
    var buffer = ByteBuffer.wrap(bytes, offset, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private void beginAnew() throws IOException {
    try {
      Files.copy(
          file, before, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    } catch (IOException _) {
      // On a full disk it is better to lose old lines than not to write new ones.
    }
    channel.truncate(0);
  }
}
