package dev.errand.daemon.watch;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import java.util.EnumMap;
import java.util.Map;

/** Where each log of a task stood when its newest attempt began. */
final class AttemptStart {
  private static final int PAGE = 512;

  private AttemptStart() {}

  static Map<LogStream, Long> of(TaskId taskId, Journal journal, FrameCodec codec) {
    var totals = new EnumMap<LogStream, Long>(LogStream.class);
    var starts = new EnumMap<LogStream, Long>(LogStream.class);
    var seq = -1L;
    while (true) {
      var frames = journal.read(StreamKey.of(taskId), seq, PAGE);
      for (var frame : frames) {
        seq = frame.seq();
        switch (codec.decodeTask(frame).event()) {
          case TaskEvent.Output it -> totals.put(it.stream(), it.offset() + it.bytes());
          case TaskEvent.Attempted _ -> starts.putAll(totals);
          // Only output extends a log.
          case TaskEvent _ -> {}
        }
      }
      if (frames.size() < PAGE) {
        return starts;
      }
    }
  }
}
