package dev.errand.daemon.tool.shell;

import dev.errand.core.task.End;
import dev.errand.wire.json.JsonFields;
import java.util.Set;

/** The words for where a run stands. */
final class RunStatus {
  static final String QUEUED = "queued";
  static final String RUNNING = "running";
  private static final String SUCCEEDED = "succeeded";
  private static final String FAILED = "failed";
  private static final String CANCELED = "canceled";
  private static final String TIMED_OUT = "timed_out";

  /** The limits that are times. */
  private static final Set<String> TIMES = Set.of("wall", "idle");

  private RunStatus() {}

  static String of(End end) {
    return switch (end) {
      case End.Exited it -> it.exit().code() == 0 ? SUCCEEDED : FAILED;
      case End.LimitPassed it -> TIMES.contains(it.limit()) ? TIMED_OUT : FAILED;
      case End.Cancelled _ -> CANCELED;
      case End.NotStarted _, End.Lost _, End.Corrupt _, End.Denied _, End.ApprovalExpired _ ->
          FAILED;
    };
  }

  /** Of a status object. */
  static String of(JsonFields status) {
    return switch (status.text("status")) {
      case "exited" -> status.number("exit_code", -1) == 0 ? SUCCEEDED : FAILED;
      case "cancelled" -> CANCELED;
      case "failed" -> TIMES.contains(status.text("reason", "")) ? TIMED_OUT : FAILED;
      case RUNNING -> RUNNING;
      default -> QUEUED;
    };
  }

  static boolean isOver(String word) {
    return !word.equals(QUEUED) && !word.equals(RUNNING);
  }

  static boolean isGood(String word) {
    return word.equals(SUCCEEDED);
  }
}
