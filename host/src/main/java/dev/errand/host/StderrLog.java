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
 * Standard error as a log file with a bounded size. When the file is full, its content is copied to
 * a second file, which replaces the earlier one, and the log starts again at zero.
 *
 * <p>The file is copied and truncated, not renamed: the JVM keeps writing to the same open file.
 */
public final class StderrLog extends OutputStream {
  /** The maximum size of the file; the previous file is as large. */
  static final long BYTES_MAX = 32L << 20;

  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private final FileChannel channel;
  private final Path file;
  private final Path before;
  private final long bytesMax;

  /** {@code channel} appends to {@code file}. */
  StderrLog(FileChannel channel, Path file, long bytesMax) {
    this.channel = channel;
    this.file = file;
    this.before = file.resolveSibling(file.getFileName() + ".1");
    this.bytesMax = bytesMax;
  }

  /**
   * Bounds the log if standard error is this file. In any case standard error is written through a
   * channel: a file stream treats each write as a long wait, so a line from a virtual thread would
   * wake another thread to replace its carrier.
   */
  public static void takeStandardError(Path file) {
    @SuppressWarnings("resource") // It belongs to the process.
    var channel = new FileOutputStream(FileDescriptor.err).getChannel();
    var out =
        isStandardError(file)
            ? new StderrLog(channel, file, BYTES_MAX)
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
      // On a full disk it is better to lose old lines than new ones.
    }
    channel.truncate(0);
  }
}
