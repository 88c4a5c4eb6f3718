package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskState;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.record.AttemptId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds tasks of a living host whose end was recorded in a place that is damaged now: their process
 * is gone, and nothing more is heard of them.
 */
final class MissedEnds {
  private final Engine engine;
  private final String hostId;
  private final Duration silenceMax;
  private final Map<AttemptId, Long> goneSince = new HashMap<>();

  /** After so long a {@code silenceMax} nothing more will come. */
  MissedEnds(Engine engine, String hostId, Duration silenceMax) {
    this.engine = engine;
    this.hostId = hostId;
    this.silenceMax = silenceMax;
  }

  /** The tasks that have been without a process for long enough. */
  List<Snapshot> look(long nowNanos) {
    var missed = new ArrayList<Snapshot>();
    for (var snapshot : engine.live()) {
      if (snapshot.state() instanceof TaskState.Running running
          && running.attempt().hostId().equals(hostId)
          && !isThere(running.process())) {
        var attemptId = new AttemptId(snapshot.taskId(), running.attempt().number());
        var since = goneSince.computeIfAbsent(attemptId, _ -> nowNanos);
        if (nowNanos - since >= silenceMax.toNanos()) {
          missed.add(snapshot);
        }
      }
    }
    return missed;
  }

  private static boolean isThere(ProcessIdentity process) {
    return ProcFs.stat(process.pid())
        .filter(it -> it.alive() && it.startTicks() == process.startTicks())
        .isPresent();
  }
}
