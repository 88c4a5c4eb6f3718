package dev.errand.daemon.output;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.LinkedHashMap;
import java.util.Map;

/** The indexes of the logs that were read by lines of late; the others are forgotten. */
final class LineIndexes {
  private static final int LOGS_MAX = 64;

  private final Map<Key, LineIndex> byLog = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(TaskId taskId, LogStream stream) {}

  synchronized LineIndex of(TaskId taskId, LogStream stream) {
    var index = byLog.computeIfAbsent(new Key(taskId, stream), _ -> new LineIndex());
    if (byLog.size() > LOGS_MAX) {
      var eldest = byLog.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
    return index;
  }
}
