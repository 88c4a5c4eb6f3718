package dev.errand.daemon.schedule;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task as the line sees it. All of it comes from the task's first frame, so the same log gives
 * the same order whenever it is read.
 *
 * @param rankMs the time of its spawn, put back by its priority: who waits long enough is passed by
 *     nobody
 * @param counted whether it counts against the quotas of its session and of all
 * @param dueMs not to start before this time
 * @param above those by which it was started, and by which they were
 */
record QueueEntry(
    TaskId id,
    TaskKind kind,
    SessionId session,
    @Nullable String lane,
    long rankMs,
    boolean counted,
    long dueMs,
    Set<TaskId> after,
    Set<TaskId> afterAny,
    List<TaskId> above) {

  /** The order in which places are given. */
  static final Comparator<QueueEntry> BY_RANK =
      Comparator.comparingLong(QueueEntry::rankMs).thenComparing(QueueEntry::id);

  /** The order in a lane, where nobody passes anybody. */
  static final Comparator<QueueEntry> BY_ID = Comparator.comparing(QueueEntry::id);

  QueueEntry {
    after = Set.copyOf(after);
    afterAny = Set.copyOf(afterAny);
    above = List.copyOf(above);
  }

  /** The same, with nothing to wait for but its turn. */
  QueueEntry unconditional() {
    return new QueueEntry(id, kind, session, lane, rankMs, counted, 0, Set.of(), Set.of(), above);
  }

  boolean hasConditions(long nowMs) {
    return dueMs > nowMs || !after.isEmpty() || !afterAny.isEmpty();
  }
}
