package dev.errand.daemon.task;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Basis;
import dev.errand.core.task.TaskSpec;

/** The policy's answer to a request for a task. */
sealed interface Judgement {

  /** It is accepted, to run or to be held; the spec says which. */
  record Accepted(TaskSpec spec) implements Judgement {}

  /** It is refused; the detail says what a person could change. */
  record Refused(ErrorCode code, Basis basis, String detail) implements Judgement {}
}
