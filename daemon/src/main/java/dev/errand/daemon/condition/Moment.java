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
 * A task as its frames up to {@code seq} tell it: whether it is over, its process while that runs,
 * and when it was seen to be ready, which is 0 until then. How long each of its logs is includes
 * what is stored and waits for its frame, the newest of it since {@code pendingAtMs}.
 */
record Moment(
    TaskId taskId,
    long seq,
    boolean ended,
    Map<LogStream, Long> totals,
    @Nullable Running process,
    long readyAtMs,
    long pendingAtMs,
    long nanos) {

  record Running(ProcessIdentity identity, long startedAtMs) {}

  Moment {
    totals = Map.copyOf(totals);
  }

  /** Of a task that is not over. */
  static Moment of(Snapshot snapshot, TaskState.Live live, Time clock) {
    var known = live.known();
    var process =
        live instanceof TaskState.Running it
            ? new Running(it.process(), known.startedAtMs())
            : null;
    return new Moment(
        snapshot.taskId(),
        snapshot.lastSeq(),
        false,
        snapshot.logEnds(),
        process,
        known.attended().readyAtMs(),
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
