package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task as its frames up to {@code seq} tell it: whether it is over, how long each of its logs is,
 * and its process while that runs.
 */
record Moment(
    TaskId taskId,
    long seq,
    boolean ended,
    Map<LogStream, Long> totals,
    @Nullable Running process,
    long nanos) {

  record Running(ProcessIdentity identity, long startedAtMs) {}

  Moment {
    totals = Map.copyOf(totals);
  }

  long total(LogStream stream) {
    return totals.getOrDefault(stream, 0L);
  }

  long bytesTotal() {
    return totals.values().stream().mapToLong(Long::longValue).sum();
  }
}
