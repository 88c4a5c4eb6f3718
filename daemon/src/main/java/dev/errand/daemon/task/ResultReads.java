package dev.errand.daemon.task;

import dev.errand.core.task.TaskId;

/** Is told when the result of an ended task was delivered; from then on its retention counts. */
public interface ResultReads {

  /** Returns at once; telling it again changes nothing. */
  void read(TaskId taskId, String by);
}
