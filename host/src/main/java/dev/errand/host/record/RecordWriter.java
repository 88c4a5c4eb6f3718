package dev.errand.host.record;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Appends records, from any thread, and sends a hint after those that matter to the daemon.
 *
 * <p>The file is written ahead with zeros, so that on a full disk there is space for important
 * records: cancels, ends, and lost output. A record that still cannot be written waits in memory,
 * and so do all later ones, so that tasks can be ended meanwhile; output is then not read and stays
 * in the pipes of the tasks. A record of an intention must be on disk before the action, and blocks
 * its writer until it is.
 */
public final class RecordWriter implements AutoCloseable {
  private static final Duration RETRY = Duration.ofMillis(200);

  /** The number of records that may wait in memory; beyond it each writer blocks. */
  private static final int WAITING_BYTES_MAX = 16 << 20;

  /** Space for some thousand records. */
  private static final int AHEAD_BYTES = 256 << 10;

  private static final FileAttribute<?> FILE_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path folder;
  private final long segmentBytesMax;
  private final Runnable hint;
  private final Time clock;
  private final Object lock = new Object();
  private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
  private long segment;
  private FileChannel channel;
  private long position;
  private long aheadTo;
  private long rotateAt;
  private long waitingBytes;
  private volatile boolean behind;
  private volatile boolean closed;

  private RecordWriter(Path folder, long segmentBytesMax, Runnable hint, Time clock)
      throws IOException {
    this.folder = folder;
    this.segmentBytesMax = segmentBytesMax;
    this.hint = hint;
    this.clock = clock;
    this.segment = 1;
    this.rotateAt = segmentBytesMax;
    this.channel =
        FileChannel.open(
            RecordFiles.segment(folder, segment), Set.of(CREATE_NEW, WRITE), FILE_MODE);
    writeAhead();
  }

  /** Starts the record file of a new host in an existing, empty folder. */
  public static RecordWriter open(Path folder, long segmentBytesMax, Runnable hint, Time clock)
      throws IOException {
    return new RecordWriter(folder, segmentBytesMax, hint, clock);
  }

  /** Returns the segment that contains the record now. */
  public long append(HostRecord record) {
    var written = appendQuietly(record);
    // An intention is read together with its result, so it needs no hint.
    if (!(record instanceof HostRecord.Intent)) {
      hint();
    }
    return written;
  }

  /** The same for a record that is read at the next {@link #hint}, whatever causes that. */
  public long appendQuietly(HostRecord record) {
    var framed = frame(RecordCodec.encode(record));
    while (true) {
      synchronized (lock) {
        if (closed && record instanceof HostRecord.Intent) {
          throw new IllegalStateException("a host that is ending starts no attempts");
        }
        if (closed || written(framed) || waits(record, framed)) {
          return segment;
        }
      }
      pauseBeforeRetry();
    }
  }

  private void pauseBeforeRetry() {
    try {
      clock.sleep(RETRY);
    } catch (InterruptedException _) {
      // A record that must be written is not given up because its thread is interrupted.
      Thread.currentThread().interrupt();
    }
  }

  /** Reports that there is something to read. */
  public void hint() {
    hint.run();
  }

  private static ByteBuffer frame(byte[] payload) {
    var crc = new CRC32C();
    crc.update(payload);
    var framed = ByteBuffer.allocate(RecordFiles.HEADER_BYTES + payload.length);
    return framed.putInt(payload.length).putInt((int) crc.getValue()).put(payload).flip();
  }

  /** Whether it is in the file now, with all earlier records that waited. */
  private boolean written(ByteBuffer framed) {
    try {
      writeWaiting();
      rotateIfFull();
      writeFully(framed);
      return true;
    } catch (IOException e) {
      if (!behind) {
        System.err.println("host: a record cannot be written, trying again: " + e);
      }
      behind = true;
      return false;
    }
  }

  /** They stay in this segment, since their writers were given its number. */
  private void writeWaiting() throws IOException {
    for (var first = waiting.peekFirst(); first != null; first = waiting.peekFirst()) {
      writeFully(first);
      waiting.removeFirst();
      waitingBytes -= first.limit();
    }
    behind = false;
  }

  private boolean waits(HostRecord record, ByteBuffer framed) {
    if (record instanceof HostRecord.Intent || waitingBytes + framed.limit() > WAITING_BYTES_MAX) {
      return false;
    }
    waiting.addLast(framed);
    waitingBytes += framed.limit();
    return true;
  }

  /** Whether records wait for disk space, so that only necessary ones should be added. */
  public boolean isBehind() {
    return behind;
  }

  /** Writes the waiting records, if there is space now. Must be called about once a second. */
  public void catchUp() {
    if (!behind) {
      return;
    }
    synchronized (lock) {
      try {
        writeWaiting();
      } catch (IOException _) {
        // Still full.
      }
    }
    hint();
  }

  /** If the next segment cannot be created this one keeps growing, and a later call tries again. */
  private void rotateIfFull() {
    if (position < rotateAt) {
      return;
    }
    try {
      rotate();
      rotateAt = segmentBytesMax;
    } catch (IOException e) {
      System.err.println("host: no new segment of the record file yet: " + e);
      rotateAt = position + AHEAD_BYTES;
    }
  }

  /**
   * The next segment gets its name last: a reader that sees it may rely on the previous one being
   * complete, and a failure on the way changes nothing.
   */
  private void rotate() throws IOException {
    var file = RecordFiles.segment(folder, segment + 1);
    var unnamed = RecordFiles.unnamed(file);
    var next = FileChannel.open(unnamed, Set.of(CREATE, TRUNCATE_EXISTING, WRITE), FILE_MODE);
    try {
      if (zeros(next, 0, AHEAD_BYTES) < AHEAD_BYTES) {
        throw new IOException("no space to write ahead in " + unnamed);
      }
      channel.truncate(position);
      aheadTo = position;
      Files.move(unnamed, file, ATOMIC_MOVE);
    } catch (IOException e) {
      next.close();
      Files.deleteIfExists(unnamed);
      throw e;
    }
    var old = channel;
    channel = next;
    segment++;
    position = 0;
    aheadTo = AHEAD_BYTES;
    old.close();
  }

  /** As far as there is space; a reader takes zeros for the end. */
  private void writeAhead() {
    if (aheadTo - position > AHEAD_BYTES / 2) {
      return;
    }
    aheadTo = zeros(channel, Math.max(position, aheadTo), position + AHEAD_BYTES);
  }

  /** How far zeros were written: completely, or until the disk was full. */
  private static long zeros(FileChannel channel, long from, long to) {
    var zeros = ByteBuffer.allocate((int) (to - from));
    try {
      while (zeros.hasRemaining()) {
        channel.write(zeros, from + zeros.position());
      }
    } catch (IOException _) {
      // The space written ahead earlier is used now.
    }
    return from + zeros.position();
  }

  /** At a fixed position, so that the next attempt overwrites one that failed half way. */
  private void writeFully(ByteBuffer framed) throws IOException {
    framed.rewind();
    while (framed.hasRemaining()) {
      channel.write(framed, position + framed.position());
    }
    position += framed.limit();
    writeAhead();
  }

  /** The segment that is being written. */
  public long segment() {
    synchronized (lock) {
      return segment;
    }
  }

  /** Deletes the segments before this one: all their records are in the journal. */
  public void deleteBefore(long number) throws IOException {
    for (var old : RecordFiles.segments(folder).headSet(Math.min(number, segment()))) {
      Files.deleteIfExists(RecordFiles.segment(folder, old));
    }
  }

  @Override
  public void close() throws IOException {
    catchUp();
    closed = true;
    synchronized (lock) {
      channel.truncate(position);
      channel.close();
    }
  }
}
