package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.task.TaskState;
import dev.errand.host.record.AttemptId;
import java.util.HashSet;
import java.util.Set;

/**
 * Attempts that were claimed when a damaged place was passed over: that they were started, and even
 * that they are over, may have stood there. Until each is settled the host must not be let go of
 * what it knows of them, or it would take the next request for a new one and start them again. The
 * host forgets with the segments that it may delete.
 */
final class Doubts {
  private final Engine engine;
  private final Set<AttemptId> attempts = new HashSet<>();
  private long segment = Long.MAX_VALUE;

  Doubts(Engine engine) {
    this.engine = engine;
  }

  /** A place in this segment, or in one behind it, could not be read. */
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
