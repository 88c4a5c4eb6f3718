package dev.errand.host.record;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;

/**
 * Appends records, from any thread, and says after those that matter that there is something to
 * read.
 *
 * <p>The file is written ahead with zeros, so that on a full disk there is room for what matters:
 * cancels, ends, and that output was lost. A record that cannot be written even so holds its writer
 * until it can be: the output behind it then waits in the pipes of the tasks and nothing is lost.
 */
public final class RecordWriter implements AutoCloseable {
  private static final long RETRY_NANOS = 200_000_000;

  /** Some thousand records. */
  private static final int AHEAD_BYTES = 256 << 10;

  private final Path folder;
  private final long segmentBytesMax;
  private final Runnable hint;
  private final Object lock = new Object();
  private long segment;
  private FileChannel channel;
  private long position;
  private long aheadTo;
  private volatile boolean closed;

  private RecordWriter(Path folder, long segmentBytesMax, Runnable hint) throws IOException {
    this.folder = folder;
    this.segmentBytesMax = segmentBytesMax;
    this.hint = hint;
    this.segment = 1;
    this.channel = create(segment);
    writeAhead();
  }

  /** Starts the record file of a new host in a folder that is there and empty. */
  public static RecordWriter open(Path folder, long segmentBytesMax, Runnable hint)
      throws IOException {
    return new RecordWriter(folder, segmentBytesMax, hint);
  }

  /** The segment in which the record stands now. */
  public long append(HostRecord record) {
    var written = appendQuietly(record);
    // What is only about to happen is read together with how it went.
    if (!(record instanceof HostRecord.Intent)) {
      hint();
    }
    return written;
  }

  /** The same for a record that is read when there is a {@link #hint}, whatever that is for. */
  public long appendQuietly(HostRecord record) {
    var framed = frame(RecordCodec.encode(record));
    synchronized (lock) {
      write(framed);
      return segment;
    }
  }

  /** Says that there is something to read. */
  public void hint() {
    hint.run();
  }

  private static ByteBuffer frame(byte[] payload) {
    var crc = new CRC32C();
    crc.update(payload);
    var framed = ByteBuffer.allocate(RecordFiles.HEADER_BYTES + payload.length);
    return framed.putInt(payload.length).putInt((int) crc.getValue()).put(payload).flip();
  }

  private void write(ByteBuffer framed) {
    var told = false;
    while (!closed) {
      try {
        rotateIfFull();
        writeFully(framed);
        return;
      } catch (IOException e) {
        if (!told) {
          System.err.println("host: a record cannot be written, trying on: " + e);
          told = true;
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void rotateIfFull() throws IOException {
    if (position < segmentBytesMax) {
      return;
    }
    var next = create(segment + 1);
    // Readers take bytes behind the last record of a segment that is followed for damage.
    channel.truncate(position);
    channel.close();
    channel = next;
    segment++;
    position = 0;
    aheadTo = 0;
    writeAhead();
  }

  /** As far as there is room; a reader takes zeros for the end. */
  private void writeAhead() {
    if (aheadTo - position > AHEAD_BYTES / 2) {
      return;
    }
    try {
      var zeros = ByteBuffer.allocate((int) (position + AHEAD_BYTES - Math.max(position, aheadTo)));
      aheadTo = Math.max(position, aheadTo);
      while (zeros.hasRemaining()) {
        aheadTo += channel.write(zeros, aheadTo);
      }
    } catch (IOException _) {
      // The disk is full: what was written ahead before is for now.
    }
  }

  /** At a fixed position, so that a try that failed half way is overwritten by the next. */
  private void writeFully(ByteBuffer framed) throws IOException {
    framed.rewind();
    while (framed.hasRemaining()) {
      channel.write(framed, position + framed.position());
    }
    position += framed.limit();
    writeAhead();
  }

  private FileChannel create(long number) throws IOException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    return FileChannel.open(RecordFiles.segment(folder, number), Set.of(CREATE_NEW, WRITE), mode);
  }

  /** The segment that is being written. */
  public long segment() {
    synchronized (lock) {
      return segment;
    }
  }

  /** Deletes the segments before this one: all of them is in the journal. */
  public void deleteBefore(long number) throws IOException {
    for (var old : RecordFiles.segments(folder).headSet(Math.min(number, segment()))) {
      Files.deleteIfExists(RecordFiles.segment(folder, old));
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    synchronized (lock) {
      channel.truncate(position);
      channel.close();
    }
  }
}
