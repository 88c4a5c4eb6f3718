package dev.errand.daemon.hostlink;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.Map;

/**
 * Scans the whole output of a task for its watchers before its end is recorded, since nothing can
 * be recorded after the end.
 */
public interface FinalScan {

  /** For tasks without watchers. */
  FinalScan NONE =
      new FinalScan() {
        @Override
        public boolean isNeeded(TaskId taskId) {
          return false;
        }

        @Override
        public void run(TaskId taskId, Map<LogStream, Long> totals) {}
      };

  /** Whether the end of this task has to wait for a scan; never waits itself. */
  boolean isNeeded(TaskId taskId);

  /**
   * Returns when logs of this length are scanned and their hits are recorded, or when the time is
   * over.
   */
  void run(TaskId taskId, Map<LogStream, Long> totals) throws InterruptedException;
}
