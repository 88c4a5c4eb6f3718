package dev.errand.daemon.task;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;

/** Decides whether a new task may run at once or has to wait. */
public interface Admission {

  /**
   * Takes a place for the task if one is free; otherwise it waits in the queue. Fails with
   * LIMIT_EXCEEDED where the queue is full too.
   */
  boolean tryEnter(TaskId taskId, TaskSpec spec);

  /**
   * Looks whether one more of this session may be held until a person answers; fails with
   * LIMIT_EXCEEDED where too many wait.
   */
  void checkHeld(TaskSpec spec);

  /** Gives a place back that came to nothing; a place of a task that ended frees itself. */
  void leave(TaskId taskId);
}
