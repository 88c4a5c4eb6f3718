package dev.errand.daemon.condition;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a task up to the frame {@code seq}: whether it is over, its process while that
 * runs, and when it was ready, or 0. The length of each log includes output that is stored and
 * waits for its frame, the newest of it since {@code pendingAtMs}.
 */
record Observation(
    TaskId taskId,
    long seq,
    boolean ended,
    Map<LogStream, Long> totals,
    @Nullable Running process,
    long readyAtMs,
    long pendingAtMs,
    long nanos) {

  record Running(ProcessIdentity identity, long startedAtMs) {}

  Observation {
    totals = Map.copyOf(totals);
  }

  /** Of a live task. */
  static Observation of(Snapshot snapshot, TaskState.Live live, Time clock) {
    var known = live.facts();
    var process =
        live instanceof TaskState.Running it
            ? new Running(it.process(), known.startedAtMs())
            : null;
    return new Observation(
        snapshot.taskId(),
        snapshot.lastSeq(),
        false,
        snapshot.logEnds(),
        process,
        known.watched().readyAtMs(),
        snapshot.pending().writtenAtMs(),
        clock.ticks());
  }

  long total(LogStream stream) {
    return totals.getOrDefault(stream, 0L);
  }

  long bytesTotal() {
    return totals.values().stream().mapToLong(Long::longValue).sum();
  }
}
