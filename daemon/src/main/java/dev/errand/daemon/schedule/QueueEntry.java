package dev.errand.daemon.schedule;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task in the queue. All fields come from the task's first frame, so the same log always gives
 * the same order.
 *
 * @param rankMs the time of its spawn, shifted by its priority, so that a task that waits long
 *     enough is first
 * @param counted whether it counts against the quotas of its session and of all
 * @param dueMs the earliest start time
 * @param above its ancestors: the task that started it, and so on
 * @param label its label, for texts
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
    List<TaskId> above,
    @Nullable String label) {

  /** Without a label. */
  QueueEntry(
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
    this(id, kind, session, lane, rankMs, counted, dueMs, after, afterAny, above, null);
  }

  /** The order in which tasks get capacity. */
  static final Comparator<QueueEntry> BY_RANK =
      Comparator.comparingLong(QueueEntry::rankMs).thenComparing(QueueEntry::id);

  /** The order in a lane, which ignores priority. */
  static final Comparator<QueueEntry> BY_ID = Comparator.comparing(QueueEntry::id);

  QueueEntry {
    after = Set.copyOf(after);
    afterAny = Set.copyOf(afterAny);
    above = List.copyOf(above);
  }

  /** The same without a delay and dependencies. */
  QueueEntry unconditional() {
    return new QueueEntry(
        id, kind, session, lane, rankMs, counted, 0, Set.of(), Set.of(), above, label);
  }

  /** The same without counting against the quotas. */
  QueueEntry uncounted() {
    return new QueueEntry(
        id, kind, session, lane, rankMs, false, dueMs, after, afterAny, above, label);
  }

  boolean hasConditions(long nowMs) {
    return dueMs > nowMs || !after.isEmpty() || !afterAny.isEmpty();
  }
}
