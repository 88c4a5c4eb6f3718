package dev.errand.daemon.condition;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import java.util.Optional;

/** Finds frames of output without reading all that a task has. */
final class TaskFrames {
  private static final int PAGE_FRAMES = 64;

  /** After this many frames without output the search ends. */
  private static final int BACK_FRAMES_MAX = 4_096;

  private final Journal journal;
  private final FrameCodec codec;

  TaskFrames(Journal journal, FrameCodec codec) {
    this.journal = journal;
    this.codec = codec;
  }

  private record Found(long seq, TaskEvent.Output output) {}

  /** The frame with this byte of a log; {@code last} where no frame up to it has. */
  long seqOf(TaskId taskId, LogStream stream, long offset, long last) {
    var low = 0L;
    var high = last;
    while (low <= high) {
      var middle = (low + high) >>> 1;
      var found = firstOutput(taskId, stream, middle, high);
      if (found.isEmpty() || found.get().output().offset() > offset) {
        high = middle - 1;
      } else if (offset < found.get().output().offset() + found.get().output().bytes()) {
        return found.get().seq();
      } else {
        low = found.get().seq() + 1;
      }
    }
    return last;
  }

  private Optional<Found> firstOutput(TaskId taskId, LogStream stream, long from, long to) {
    var after = from - 1;
    while (after < to) {
      var page = journal.read(StreamKey.of(taskId), after, PAGE_FRAMES);
      for (var frame : page) {
        if (output(frame) instanceof TaskEvent.Output it && it.stream() == stream) {
          return frame.seq() <= to ? Optional.of(new Found(frame.seq(), it)) : Optional.empty();
        }
      }
      if (page.isEmpty()) {
        break;
      }
      after = page.getLast().seq();
    }
    return Optional.empty();
  }

  /** When something was last written, or an earlier time than {@code sinceMs} where it was none. */
  long lastOutputMs(TaskId taskId, long last, long sinceMs) {
    for (var to = last; to >= 0 && last - to < BACK_FRAMES_MAX; to -= PAGE_FRAMES) {
      var page = journal.read(StreamKey.of(taskId), Math.max(-1, to - PAGE_FRAMES), PAGE_FRAMES);
      for (var frame : page.reversed()) {
        var decoded = codec.decodeTask(frame);
        var recordedMs = decoded.head().timestampMs();
        if (decoded.event() instanceof TaskEvent.Output it) {
          return it.writtenAtMs() > 0 ? it.writtenAtMs() : recordedMs;
        }
        if (recordedMs < sinceMs) {
          return recordedMs;
        }
      }
    }
    return 0;
  }

  private TaskEvent output(EncodedFrame frame) {
    return codec.decodeTask(frame).event();
  }
}
