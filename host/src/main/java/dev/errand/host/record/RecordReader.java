package dev.errand.host.record;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a host's records continuously, from the first that still exists.
 *
 * <p>An incomplete record at the end is being written, or was when the host died: it is the end for
 * now. One that stays incomplete although others follow it is damaged and skipped; the numbers of
 * the other records show whose it was. For one thread at a time.
 */
public final class RecordReader implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 << 10;

  /**
   * How much is read at once when little is new: after the last record there are zeros that the
   * host wrote ahead.
   */
  private static final int LOOK_BYTES = 4 << 10;

  /**
   * How long a record may stay incomplete while it is written, in whatever order its pages become
   * readable.
   */
  private static final Duration MAKING_MAX = Duration.ofSeconds(1);

  private final Path folder;
  private final Time clock;
  private @Nullable FileChannel channel;
  private long segment;
  private long position;
  private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
  private int lookBytes = LOOK_BYTES;
  private boolean finished;
  private int damages;
  private @Nullable Broken broken;

  /** The position without a complete record, and since when. */
  private record Broken(long segment, long position, long sinceNanos) {}

  public RecordReader(Path folder, Time clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /**
   * The next records, in order; none means that there are no more for now. The records before a
   * failure are returned first; the next call meets the failure again.
   */
  public List<HostRecord> next(int max) throws IOException {
    var records = new ArrayList<HostRecord>();
    try {
      readTo(records, max);
    } catch (IOException e) {
      if (records.isEmpty()) {
        throw e;
      }
    }
    return records;
  }

  private void readTo(List<HostRecord> records, int max) throws IOException {
    while (records.size() < max) {
      var record = read();
      if (record != null) {
        records.add(record);
      } else if (!moveOn()) {
        return;
      }
    }
  }

  /** The host is dead: no record is being written any more. */
  public void finished() {
    finished = true;
  }

  /** Whether a record had to be skipped. */
  public boolean isDamaged() {
    return damages > 0;
  }

  /** How often that happened. */
  public int damages() {
    return damages;
  }

  /** The segment in which the next record is searched; all earlier ones are read. */
  public long segment() {
    return segment;
  }

  /** The next complete record of this segment. */
  private @Nullable HostRecord read() throws IOException {
    var payload = payload();
    if (payload == null && isSettled() && passOver()) {
      payload = payload();
    }
    if (payload == null) {
      return null;
    }
    var bytes = RecordFiles.HEADER_BYTES + payload.length;
    buffer.position(buffer.position() + bytes);
    position += bytes;
    return RecordCodec.decode(payload);
  }

  /** The record at the present position, if it is complete; the position does not change. */
  private byte @Nullable [] payload() throws IOException {
    if (!filled(RecordFiles.HEADER_BYTES)) {
      return null;
    }
    var length = buffer.getInt(buffer.position());
    var crc = buffer.getInt(buffer.position() + Integer.BYTES);
    var plausible = length > 0 && length <= RecordFiles.PAYLOAD_BYTES_MAX;
    if (plausible && filled(RecordFiles.HEADER_BYTES + length)) {
      var payload = new byte[length];
      buffer.get(buffer.position() + RecordFiles.HEADER_BYTES, payload);
      if (crc32c(payload) == crc) {
        return payload;
      }
    }
    // Incomplete, so the next attempt must read the file again.
    buffer.limit(buffer.position());
    lookBytes = LOOK_BYTES;
    return null;
  }

  /** Whether the incomplete record will stay incomplete. */
  private boolean isSettled() {
    var seen = broken;
    if (seen == null || seen.segment() != segment || seen.position() != position) {
      seen = new Broken(segment, position, clock.ticks());
      broken = seen;
    }
    return finished || clock.ticks() - seen.sinceNanos() > MAKING_MAX.toNanos();
  }

  /** Moves to the next complete record of this segment, if there is one after a damaged place. */
  private boolean passOver() throws IOException {
    var file = channel;
    if (file == null || isZero(file, position, BUFFER_BYTES)) {
      return false;
    }
    var rest = ByteBuffer.allocate(Math.toIntExact(file.size() - position));
    while (rest.hasRemaining() && file.read(rest, position + rest.position()) > 0) {
      // Read on.
    }
    rest.flip();
    for (var at = 1; at + RecordFiles.HEADER_BYTES < rest.limit(); at++) {
      if (isRecord(rest, at)) {
        // Both may have been written since the first read; then this one is complete now.
        buffer.position(0).limit(0);
        if (payload() == null) {
          damages++;
          position += at;
          buffer.position(0).limit(0);
        }
        return true;
      }
    }
    return false;
  }

  /** A payload is a JSON object, which is faster to check than its checksum. */
  private static boolean isRecord(ByteBuffer bytes, int at) {
    var length = bytes.getInt(at);
    var begin = at + RecordFiles.HEADER_BYTES;
    if (length <= 0
        || length > bytes.limit() - begin
        || bytes.get(begin) != '{'
        || bytes.get(begin + length - 1) != '}') {
      return false;
    }
    var payload = new byte[length];
    bytes.get(begin, payload);
    return crc32c(payload) == bytes.getInt(at + Integer.BYTES);
  }

  private static int crc32c(byte[] payload) {
    var crc = new CRC32C();
    crc.update(payload);
    return (int) crc.getValue();
  }

  /**
   * Makes at least this many bytes from the position on available in the buffer, if the file has
   * them.
   */
  private boolean filled(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return true;
    }
    if (bytes > buffer.capacity()) {
      buffer = ByteBuffer.allocate(bytes);
    }
    buffer.clear().limit(Math.min(buffer.capacity(), Math.max(bytes, lookBytes)));
    lookBytes = BUFFER_BYTES;
    try {
      fill(bytes);
    } finally {
      // What was read before a failure is valid.
      buffer.flip();
    }
    return buffer.remaining() >= bytes;
  }

  private void fill(int bytes) throws IOException {
    var file = channel;
    while (file != null && buffer.position() < bytes) {
      if (file.read(buffer, position + buffer.position()) <= 0) {
        return;
      }
    }
  }

  /** Moves to the next segment, if there is one and this one is read completely. */
  private boolean moveOn() throws IOException {
    var current = channel;
    var next = current == null ? RecordFiles.first(folder) : RecordFiles.after(folder, segment);
    if (next < 0) {
      return false;
    }
    // The writer never returns to a segment, but it may have added to this one since the last read.
    if (current != null && payload() != null) {
      return true;
    }
    // Zeros were written ahead by a host that was killed before it could truncate them.
    if (current != null && !isZero(current, position, Long.MAX_VALUE)) {
      if (!isSettled()) {
        return false;
      }
      damages++;
    }
    return open(next);
  }

  /** Whether only zeros follow from there, in at least this many bytes. */
  private static boolean isZero(FileChannel file, long from, long most) throws IOException {
    var bytes = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, most));
    for (var at = from; at - from < most && file.read(bytes.clear(), at) > 0; at += bytes.limit()) {
      bytes.flip();
      if (bytes.mismatch(ByteBuffer.allocate(bytes.limit())) >= 0) {
        return false;
      }
    }
    return true;
  }

  private boolean open(long number) throws IOException {
    FileChannel opened;
    try {
      opened = FileChannel.open(RecordFiles.segment(folder, number), StandardOpenOption.READ);
    } catch (NoSuchFileException _) {
      return false;
    }
    close();
    channel = opened;
    segment = number;
    position = 0;
    buffer.position(0).limit(0);
    return true;
  }

  @Override
  public void close() throws IOException {
    var open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
