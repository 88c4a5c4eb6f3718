package dev.errand.daemon.hostlink;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.Map;

/**
 * Looks at the whole output of a task before its end is recorded, since nothing can be recorded
 * behind that.
 */
public interface LastLook {

  /** Nobody looks at anything. */
  LastLook NONE =
      new LastLook() {
        @Override
        public boolean isDue(TaskId taskId) {
          return false;
        }

        @Override
        public void take(TaskId taskId, Map<LogStream, Long> totals) {}
      };

  /** Whether the end of this task has to wait for a look; never waits itself. */
  boolean isDue(TaskId taskId);

  /** Returns when logs of this length are looked at and what they show is recorded, or in time. */
  void take(TaskId taskId, Map<LogStream, Long> totals) throws InterruptedException;
}
