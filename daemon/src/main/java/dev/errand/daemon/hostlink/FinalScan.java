package dev.errand.daemon.hostlink;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.Map;
import org.slf4j.LoggerFactory;

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

  /** Scans if that is needed. The task must end, even if a watcher fails. */
  default void runIfNeeded(TaskId taskId, Map<LogStream, Long> totals) throws InterruptedException {
    if (!isNeeded(taskId)) {
      return;
    }
    try {
      run(taskId, totals);
    } catch (RuntimeException | Error e) {
      LoggerFactory.getLogger(FinalScan.class)
          .error("watchers did not finish scanning the output of task {}", taskId, e);
    }
  }
}
