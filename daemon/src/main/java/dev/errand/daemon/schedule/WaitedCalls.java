package dev.errand.daemon.schedule;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tasks whose end a call waits for. They do not count against the quotas while the call lasts,
 * so each session may have a limited number of them. A call does not outlive its daemon, so after a
 * restart there are none: all tasks count then.
 */
final class WaitedCalls {
  private int perSessionMax;

  /** Each as it counts when its call is over. */
  private final Map<TaskId, QueueEntry> all = new HashMap<>();

  private final Map<SessionId, NavigableSet<QueueEntry>> sessions = new HashMap<>();

  WaitedCalls(int perSessionMax) {
    this.perSessionMax = perSessionMax;
  }

  void limit(int perSession) {
    perSessionMax = perSession;
  }

  /** Refuses one more if the session is at the limit. */
  void check(SessionId session) {
    var those = sessions.get(session);
    if (those != null && those.size() >= perSessionMax) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED,
          ("session %s waits for %d commands, which is the limit (max_waited_calls_per_session): %s;"
                  + " try again when one of them is over, cancel one, or start this one in the"
                  + " background")
              .formatted(session, those.size(), Naming.of(those, those.size()).text()));
    }
  }

  void add(QueueEntry entry) {
    all.put(entry.id(), entry);
    sessions.computeIfAbsent(entry.session(), _ -> new TreeSet<>(QueueEntry.BY_ID)).add(entry);
  }

  /** The entry as it counts now. */
  QueueEntry current(QueueEntry entry) {
    return all.containsKey(entry.id()) ? entry.uncounted() : entry;
  }

  /** The entry as it counts from now on; null if no call waits for this task. */
  @Nullable QueueEntry remove(TaskId taskId) {
    var entry = all.remove(taskId);
    if (entry != null) {
      sessions.computeIfPresent(
          entry.session(),
          (_, those) -> {
            those.remove(entry);
            return those.isEmpty() ? null : those;
          });
    }
    return entry;
  }
}
