package dev.errand.daemon.task;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;

/** Decides whether a new task may run at once or has to wait. */
public interface Admission {

  /**
   * Takes a run slot for the task if one is free; otherwise the task waits in the queue. Throws
   * LIMIT_EXCEEDED if the queue is full too.
   */
  boolean tryEnter(TaskId taskId, TaskSpec spec);

  /**
   * Checks whether one more task of this session may be held for approval; throws LIMIT_EXCEEDED if
   * too many are held.
   */
  void checkHeld(TaskSpec spec);

  /** Returns an unused slot; the slot of a task that ended is freed automatically. */
  void leave(TaskId taskId);
}
