package dev.errand.daemon.tool.shell;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the bound of a run's output falls: it counts all streams together, in the order of
 * the record. How far a run was counted is remembered for those asked about of late; for others it
 * is counted again.
 */
final class ShownOutput {
  private static final int RUNS_MAX = 1_024;
  private static final int PAGE_FRAMES = 256;

  private final Map<TaskId, Count> counts = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Of the output of this frame only so many bytes are shown, and of later frames none.
   *
   * @param shown how many bytes of each stream are shown
   */
  record Cut(long seq, long bytes, Map<LogStream, Long> shown) {
    Cut {
      shown = Map.copyOf(shown);
    }
  }

  /** Where the bound falls, if it does so in the frames up to this one. */
  @Nullable Cut cut(Run run, long upToSeq) {
    return countOf(run.taskId()).upTo(run, upToSeq);
  }

  private synchronized Count countOf(TaskId taskId) {
    var count = counts.computeIfAbsent(taskId, _ -> new Count());
    if (counts.size() > RUNS_MAX) {
      var eldest = counts.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
    return count;
  }

  /** How many bytes a run has written up to a frame. */
  private static final class Count {
    private long seq = -1;
    private long bytes;
    private final Map<LogStream, Long> shown = new EnumMap<>(LogStream.class);
    private @Nullable Cut cut;

    synchronized @Nullable Cut upTo(Run run, long upToSeq) {
      var more = true;
      while (more && cut == null && seq < upToSeq) {
        more = goOn(run);
      }
      var found = cut;
      return found != null && found.seq() <= upToSeq ? found : null;
    }

    private boolean goOn(Run run) {
      var frames = run.frames().read(seq, PAGE_FRAMES);
      for (var frame : frames) {
        if (frame.event() instanceof TaskEvent.Output output) {
          if (bytes + output.bytes() > run.shownBytesMax()) {
            var rest = run.shownBytesMax() - bytes;
            shown.put(output.stream(), output.offset() + rest);
            cut = new Cut(frame.head().seq(), rest, shown);
            return false;
          }
          bytes += output.bytes();
          shown.put(output.stream(), output.offset() + output.bytes());
        }
        seq = frame.head().seq();
      }
      return !frames.isEmpty();
    }
  }
}
