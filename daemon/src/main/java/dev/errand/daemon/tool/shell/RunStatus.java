package dev.errand.daemon.tool.shell;

import dev.errand.core.task.End;
import dev.errand.core.task.TaskView;

/** The words for where a run stands. */
final class RunStatus {
  static final String QUEUED = "queued";
  static final String RUNNING = "running";
  private static final String SUCCEEDED = "succeeded";
  private static final String FAILED = "failed";
  private static final String CANCELED = "canceled";
  private static final String TIMED_OUT = "timed_out";

  private RunStatus() {}

  static String of(End end) {
    return switch (end) {
      case End.Exited it -> it.isSuccess() ? SUCCEEDED : FAILED;
      case End.LimitPassed it -> it.isTimeout() ? TIMED_OUT : FAILED;
      case End.Cancelled _ -> CANCELED;
      case End.NotStarted _, End.Lost _, End.Corrupt _, End.Denied _, End.ApprovalExpired _ ->
          FAILED;
    };
  }

  static String of(TaskView view) {
    return switch (view) {
      case TaskView.Held _, TaskView.Queued _ -> QUEUED;
      case TaskView.Running _ -> RUNNING;
      case TaskView.Ended it -> of(it.end());
    };
  }
}
