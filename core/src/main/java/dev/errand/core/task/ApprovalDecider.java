package dev.errand.core.task;

import static dev.errand.core.error.ErrorCode.NOT_HELD;

import dev.errand.core.task.TaskState.Absent;
import dev.errand.core.task.TaskState.Ended;
import dev.errand.core.task.TaskState.Held;
import dev.errand.core.task.TaskState.Hosted;
import dev.errand.core.task.TaskState.Queued;

/** Decides what an approval or a denial does to a held task. */
final class ApprovalDecider {

  private ApprovalDecider() {}

  static Decision approve(TaskState state, TaskCommand.Approve command) {
    return switch (state) {
      case Absent _ -> TaskDecider.noSuchTask();
      case Held _ -> Decision.accept(new TaskEvent.Approved(command.by()));
      case Queued it -> approvedBefore(it.facts());
      case Hosted it -> approvedBefore(it.facts());
      case Ended _ -> Decision.refuse(NOT_HELD, "the task is over, so nothing can be approved");
    };
  }

  /** Repeated after a lost reply, so it must change nothing. */
  private static Decision approvedBefore(TaskFacts facts) {
    return isAsked(facts.spec())
        ? Decision.accept()
        : Decision.refuse(NOT_HELD, "the task needs no approval");
  }

  static Decision deny(TaskState state, TaskCommand.Deny command) {
    return switch (state) {
      case Absent _ -> TaskDecider.noSuchTask();
      case Held _ ->
          Decision.accept(
              new TaskEvent.Denied(command.reason(), command.by()),
              new TaskEvent.Ended(new End.Denied(command.reason(), command.by(), command.atMs())));
      case Queued it -> tooLate(it.facts());
      case Hosted it -> tooLate(it.facts());
      case Ended it ->
          it.end() instanceof End.Denied
              ? Decision.accept()
              : Decision.refuse(NOT_HELD, "the task is over, so nothing can be denied");
    };
  }

  private static Decision tooLate(TaskFacts facts) {
    return Decision.refuse(
        NOT_HELD,
        isAsked(facts.spec())
            ? "the task was approved before; cancel it to end it"
            : "the task needs no approval; cancel it to end it");
  }

  static boolean isAsked(TaskSpec spec) {
    var ruling = spec.ruling();
    return ruling != null && ruling.answer() instanceof Ruling.Answer.Asked;
  }

  static Decision expired(TaskState state, TaskCommand.ApprovalExpired command) {
    return state instanceof Held held && command.atMs() >= held.untilMs()
        ? Decision.accept(new TaskEvent.Ended(new End.ApprovalExpired(command.atMs())))
        : Decision.accept();
  }
}
