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
 * Reads a host's records on and on, from the first that is still there.
 *
 * <p>A record at the end that is not whole is being written, or was when the host died: it is the
 * end for now. One that stays so although others follow it is damaged, and is passed over; whose it
 * was shows in the numbers of the rest. For one thread at a time.
 */
public final class RecordReader implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 << 10;

  /**
   * How much is read at once where little is new: behind the last record lie zeros that the host
   * wrote ahead.
   */
  private static final int LOOK_BYTES = 4 << 10;

  /** For so long a record may be in the making, however its pages become readable. */
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

  /** Where no whole record was, and since when. */
  private record Broken(long segment, long position, long sinceNanos) {}

  public RecordReader(Path folder, Time clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /**
   * The next records, in order; none means that there are no more for now. Those before a failure
   * are given out first, and the failure is met again by who asks for more.
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

  /** The host is dead: nothing is in the making any more. */
  public void finished() {
    finished = true;
  }

  /** Whether something had to be passed over. */
  public boolean isDamaged() {
    return damages > 0;
  }

  /** How often that was so. */
  public int damages() {
    return damages;
  }

  /** The segment in which the next record is looked for; all before it has been read. */
  public long segment() {
    return segment;
  }

  /** The next whole record of this segment. */
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

  /** What the record at our position holds, if it is whole; we stay where we are. */
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
    // Not whole, so the next look must go to the file again.
    buffer.limit(buffer.position());
    lookBytes = LOOK_BYTES;
    return null;
  }

  /** Whether what is not whole here will not become so. */
  private boolean isSettled() {
    var seen = broken;
    if (seen == null || seen.segment() != segment || seen.position() != position) {
      seen = new Broken(segment, position, clock.ticks());
      broken = seen;
    }
    return finished || clock.ticks() - seen.sinceNanos() > MAKING_MAX.toNanos();
  }

  /** Goes to the next whole record of this segment, if there is one behind a damaged place. */
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
        // Both may have been written since the first look; then this one is whole by now.
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

  /** A payload is a JSON object, which is seen sooner than whether its checksum fits. */
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

  /** Makes at least so many bytes from the position on lie in the buffer, if the file has them. */
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
      // What was read before a failure is whole as far as it goes.
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

  /** Goes to the next segment, if there is one and this one is read to its end. */
  private boolean moveOn() throws IOException {
    var current = channel;
    var next = current == null ? RecordFiles.first(folder) : RecordFiles.after(folder, segment);
    if (next < 0) {
      return false;
    }
    // The writer never comes back to a segment, but it may have added to this one since we looked.
    if (current != null && payload() != null) {
      return true;
    }
    // Zeros are what a host wrote ahead that was killed before it could cut it.
    if (current != null && !isZero(current, position, Long.MAX_VALUE)) {
      if (!isSettled()) {
        return false;
      }
      damages++;
    }
    return open(next);
  }

  /** Whether there are zeros and nothing else from there on, in so many bytes at least. */
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
