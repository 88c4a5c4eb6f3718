package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.record.AttemptId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds tasks of a living host whose end was recorded in a place that is now damaged: their process
 * is gone, or their host says that they ended or never began, and no more records of them arrive.
 * Without it such a task would run for its clients until the next start of the daemon, which may be
 * weeks away.
 */
final class MissedExits {
  private final Engine engine;
  private final String hostId;
  private final Host host;
  private final Duration silenceMax;
  private Map<AttemptId, Long> silentSince = new HashMap<>();

  /** What only the host knows. */
  interface Host {
    /** Withdraws an attempt that has not begun; true if it will not run from now on. */
    boolean withdraw(TaskId taskId, TaskState.Attempt attempt) throws InterruptedException;
  }

  /** After {@code silenceMax} without a record no more are expected. */
  MissedExits(Engine engine, String hostId, Host host, Duration silenceMax) {
    this.engine = engine;
    this.hostId = hostId;
    this.host = host;
    this.silenceMax = silenceMax;
  }

  /** The tasks that have been silent for long enough and have ended. */
  List<Snapshot> find(long nowNanos) throws InterruptedException {
    var silent = new HashMap<AttemptId, Long>();
    var missed = new ArrayList<Snapshot>();
    for (var snapshot : engine.live()) {
      var attempt = silent(snapshot.state());
      if (attempt == null) {
        continue;
      }
      var attemptId = new AttemptId(snapshot.taskId(), attempt.number());
      var since = silentSince.getOrDefault(attemptId, nowNanos);
      silent.put(attemptId, since);
      if (nowNanos - since >= silenceMax.toNanos() && settle(snapshot, attempt)) {
        missed.add(snapshot);
      }
    }
    silentSince = silent;
    return missed;
  }

  /** The attempt, if no process of it can be seen. */
  private TaskState.@Nullable Attempt silent(TaskState state) {
    return switch (state) {
      case TaskState.Claimed it when isMine(it.attempt()) -> it.attempt();
      case TaskState.Running it when isMine(it.attempt()) && !isAlive(it.process()) -> it.attempt();
      case TaskState.Claimed _,
          TaskState.Running _,
          TaskState.Absent _,
          TaskState.Held _,
          TaskState.Queued _,
          TaskState.Ended _ ->
          null;
    };
  }

  private boolean isMine(TaskState.Attempt attempt) {
    return attempt.hostId().equals(hostId);
  }

  /**
   * True if the attempt is over: a known process is gone, an attempt without one is withdrawn at
   * its host.
   */
  private boolean settle(Snapshot snapshot, TaskState.Attempt attempt) throws InterruptedException {
    return snapshot.state() instanceof TaskState.Running
        || host.withdraw(snapshot.taskId(), attempt);
  }

  private static boolean isAlive(ProcessIdentity process) {
    return ProcFs.stat(process.pid())
        .filter(it -> it.alive() && it.startTicks() == process.startTicks())
        .isPresent();
  }
}
