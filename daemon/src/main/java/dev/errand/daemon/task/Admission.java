package dev.errand.daemon.task;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;

/** Decides whether a new task may run at once or has to wait. */
public interface Admission {

  /**
   * Takes a run slot for the task if one is free; otherwise the task waits in the queue. Throws
   * LIMIT_EXCEEDED if the queue is full too, or if a call waits for the task and it cannot start
   * now.
   */
  boolean tryEnter(TaskId taskId, TaskSpec spec);

  /**
   * Checks whether one more task of this session may be held for approval; throws LIMIT_EXCEEDED if
   * too many are held.
   */
  void checkHeld(TaskSpec spec);

  /**
   * The call that waited for this task is over. If the task goes on, it counts against the quotas
   * from now on, above them if need be.
   */
  void callEnded(TaskId taskId);

  /** Returns an unused slot; the slot of a task that ended is freed automatically. */
  void leave(TaskId taskId);
}
