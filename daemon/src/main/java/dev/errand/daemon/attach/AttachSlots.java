package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the attached clients of each task and of all tasks; at a limit a new client is refused.
 */
final class AttachSlots {
  private final int max;
  private final int perTaskMax;
  private final Map<TaskId, Integer> taken = new HashMap<>();
  private int all;

  AttachSlots(int max, int perTaskMax) {
    this.max = max;
    this.perTaskMax = perTaskMax;
  }

  /** Checks whether one more client fits, so that it can be refused before it connects. */
  synchronized void check(TaskId taskId) {
    if (all >= max) {
      throw full("the limit of " + max + " attached clients is reached");
    }
    if (taken.getOrDefault(taskId, 0) >= perTaskMax) {
      throw full("the limit of " + perTaskMax + " clients attached to one task is reached");
    }
  }

  private static ErrandException full(String detail) {
    return new ErrandException(ErrorCode.LIMIT_EXCEEDED, detail + "; try again later");
  }

  synchronized Slot take(TaskId taskId) {
    check(taskId);
    all++;
    taken.merge(taskId, 1, Integer::sum);
    return () -> leave(taskId);
  }

  private synchronized void leave(TaskId taskId) {
    all--;
    taken.computeIfPresent(taskId, (_, count) -> count == 1 ? null : count - 1);
  }

  synchronized int taken() {
    return all;
  }

  /** Closed once, by its owner. */
  interface Slot extends AutoCloseable {
    @Override
    void close();
  }
}
