package dev.errand.daemon.task;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;

/** Is told when the result of an ended task was delivered; from then on its retention counts. */
public interface ResultReads {

  /** Returns at once; telling it again changes nothing. */
  void read(TaskId taskId, String by);

  /** Tells it where this is the first time that the result of an ended task is delivered. */
  default void note(TaskRow row, String by) {
    if (!row.active() && row.lifetime().readAtMs() == 0) {
      read(row.id(), by);
    }
  }

  /** Waits, though not for long, until all that was told before is recorded. */
  default void settle() throws InterruptedException {}
}
