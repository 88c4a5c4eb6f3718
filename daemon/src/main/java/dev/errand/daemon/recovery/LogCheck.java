package dev.errand.daemon.recovery;

import dev.errand.core.error.ErrandException;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.LogArchive;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Finds what a crash of the machine removed from a log: the record has the checksum of each range,
 * and a range that is missing or differs is lost from its first byte on.
 */
public final class LogCheck {
  private static final int PAGE = 512;
  private static final int READ_BYTES = 256 * 1024;

  private final Journal journal;
  private final FrameCodec codec;
  private final LogArchive archive;

  public LogCheck(Journal journal, FrameCodec codec, LogArchive archive) {
    this.journal = journal;
    this.codec = codec;
    this.archive = archive;
  }

  /** The offset of the first lost byte of each log with lost bytes. */
  public Map<LogStream, Long> firstLost(TaskId taskId) {
    var lost = new EnumMap<LogStream, Long>(LogStream.class);
    var seq = -1L;
    while (true) {
      var frames = journal.read(StreamKey.of(taskId), seq, PAGE);
      for (var encoded : frames) {
        seq = encoded.seq();
        if (codec.decodeTask(encoded).event() instanceof TaskEvent.Output output
            && !lost.containsKey(output.stream())
            && !isThere(taskId, output)) {
          lost.put(output.stream(), output.offset());
        }
      }
      if (frames.size() < PAGE) {
        return lost;
      }
    }
  }

  /**
   * A range that the cap has dropped since is not lost; a merged one has no checksum to compare.
   */
  private boolean isThere(TaskId taskId, TaskEvent.Output output) {
    var crc = new CRC32C();
    var at = output.offset();
    var end = output.offset() + output.bytes();
    while (at < end) {
      var bytes = read(taskId, output.stream(), at, (int) Math.min(READ_BYTES, end - at));
      if (bytes.length == 0) {
        return isDropped(taskId, output.stream(), at);
      }
      crc.update(bytes);
      at += bytes.length;
    }
    var expected = output.crc32c();
    return expected == null || expected == (int) crc.getValue();
  }

  private byte[] read(TaskId taskId, LogStream stream, long offset, int bytes) {
    try {
      return archive.startOf(taskId, stream, offset, bytes);
    } catch (ErrandException e) {
      throwIfPassing(e);
      return new byte[0];
    }
  }

  private boolean isDropped(TaskId taskId, LogStream stream, long offset) {
    try {
      return archive.isDropped(taskId, stream, offset);
    } catch (ErrandException e) {
      throwIfPassing(e);
      return false;
    }
  }

  /** A range that cannot be read now may still exist; one that can never be read is lost. */
  private static void throwIfPassing(ErrandException e) {
    if (e.code().retryable()) {
      throw e;
    }
  }
}
