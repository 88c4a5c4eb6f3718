package dev.errand.daemon.schedule;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.HashMap;
import java.util.Map;

/** Limits the waiting tasks of each session: queued, held for approval, or about to be recorded. */
final class SessionQueueLimit {
  private int perSessionMax;
  private final Map<TaskId, SessionId> sessions = new HashMap<>();
  private final Map<SessionId, Integer> counts = new HashMap<>();

  SessionQueueLimit(int perSessionMax) {
    this.perSessionMax = perSessionMax;
  }

  void limit(int perSession) {
    perSessionMax = perSession;
  }

  /** Refuses a task if the session is at the limit. */
  void check(SessionId sessionId) {
    var waiting = counts.getOrDefault(sessionId, 0);
    if (waiting >= perSessionMax) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED,
          "session %s has %d tasks waiting, which is the limit (max_queued_per_session); try again"
                  .formatted(sessionId, waiting)
              + " after some have run");
    }
  }

  void add(TaskId taskId, SessionId sessionId) {
    if (sessions.put(taskId, sessionId) == null) {
      counts.merge(sessionId, 1, Integer::sum);
    }
  }

  void remove(TaskId taskId) {
    var sessionId = sessions.remove(taskId);
    if (sessionId != null) {
      counts.computeIfPresent(sessionId, (_, count) -> count == 1 ? null : count - 1);
    }
  }
}
