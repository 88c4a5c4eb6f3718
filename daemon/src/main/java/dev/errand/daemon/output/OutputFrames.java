package dev.errand.daemon.output;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the frames that recorded a range of a log, with the checksum of each. */
final class OutputFrames {
  private static final int PAGE_FRAMES = 32;

  /** How many frames one step of the search reads. */
  private static final int PROBE_FRAMES = 8;

  /** After this many frames the search for the rest of a range ends. */
  private static final int FRAMES_MAX = 4_096;

  /** Frames about the end of a log are among the last ones. */
  private static final int END_FRAMES = 16;

  private final Journal journal;
  private final FrameCodec codec;

  OutputFrames(Journal journal, FrameCodec codec) {
    this.journal = journal;
    this.codec = codec;
  }

  /** The frames of output that have a byte of this range, in order. */
  List<TaskEvent.Output> covering(TaskId taskId, LogStream stream, long from, long to) {
    var found = new ArrayList<TaskEvent.Output>();
    var seq = before(taskId, stream, from);
    for (var looked = 0; looked < FRAMES_MAX; looked += PAGE_FRAMES) {
      var page = events(taskId, seq, PAGE_FRAMES);
      for (var event : page) {
        if (event instanceof TaskEvent.Output it && it.stream() == stream) {
          if (it.offset() >= to) {
            return found;
          }
          if (it.offset() + it.bytes() > from) {
            found.add(it);
          }
        }
      }
      if (page.size() < PAGE_FRAMES) {
        break;
      }
      seq += PAGE_FRAMES;
    }
    return found;
  }

  /** A frame after which the range begins, found by halving: offsets grow with {@code seq}. */
  private long before(TaskId taskId, LogStream stream, long offset) {
    var low = -1L;
    var high = journal.lastSeq(StreamKey.of(taskId));
    while (high - low > PAGE_FRAMES) {
      var middle = low + (high - low) / 2;
      if (isAtMost(events(taskId, middle, PROBE_FRAMES), stream, offset)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** False where none of these is of the stream, which makes the search end earlier, not wrong. */
  private static boolean isAtMost(List<TaskEvent> events, LogStream stream, long offset) {
    for (var event : events) {
      if (event instanceof TaskEvent.Output it && it.stream() == stream) {
        return it.offset() <= offset;
      }
    }
    return false;
  }

  /** What the log had become when its task ended; empty while it runs, or without an artifact. */
  Optional<LogEnd> end(TaskId taskId, LogStream stream) {
    return ends(taskId).stream().filter(it -> it.stream() == stream).findFirst();
  }

  /** The logs of an ended task that became artifacts. */
  List<LogEnd> ends(TaskId taskId) {
    var last = journal.lastSeq(StreamKey.of(taskId));
    var ends = new ArrayList<LogEnd>();
    for (var event : events(taskId, Math.max(-1, last - END_FRAMES), END_FRAMES)) {
      if (event instanceof TaskEvent.ArtifactWritten(var log)) {
        ends.add(log);
      }
    }
    return ends;
  }

  private List<TaskEvent> events(TaskId taskId, long afterSeq, int max) {
    return journal.read(StreamKey.of(taskId), afterSeq, max).stream()
        .map(it -> codec.decodeTask(it).event())
        .toList();
  }
}
