package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.task.TaskState;
import dev.errand.host.record.AttemptId;
import java.util.HashSet;
import java.util.Set;

/**
 * Attempts that were claimed when a damaged place in the records was skipped. Their start, and even
 * their end, may have been recorded there, so the host must keep the segments that name them until
 * each is settled: a host forgets an attempt with its segment, and would start it a second time.
 * Keeping all segments from a damaged place on would need no list of attempts, but would fill the
 * disk of a host that runs for weeks.
 */
final class UnsettledClaims {
  private final Engine engine;
  private final Set<AttemptId> attempts = new HashSet<>();
  private long segment = Long.MAX_VALUE;

  UnsettledClaims(Engine engine) {
    this.engine = engine;
  }

  /** A place in this segment, or in a later one, could not be read. */
  void add(long inSegment) {
    for (var snapshot : engine.live()) {
      if (snapshot.state() instanceof TaskState.Claimed it) {
        attempts.add(new AttemptId(snapshot.taskId(), it.attempt().number()));
      }
    }
    segment = Math.min(segment, inSegment);
  }

  /** The first segment that is still needed; at most the given one. */
  long firstSegment(long atMost) {
    attempts.removeIf(it -> !isClaimed(it));
    if (attempts.isEmpty()) {
      segment = Long.MAX_VALUE;
    }
    return Math.min(segment, atMost);
  }

  private boolean isClaimed(AttemptId attempt) {
    return engine.snapshot(attempt.taskId()).state() instanceof TaskState.Claimed it
        && it.attempt().number() == attempt.attempt();
  }
}
