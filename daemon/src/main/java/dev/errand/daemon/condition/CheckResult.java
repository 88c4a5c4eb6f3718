package dev.errand.daemon.condition;

import java.time.Duration;

/** The result of a check. */
public sealed interface CheckResult {
  /** Not everything is checked yet: to be called again at once. */
  NotYet UNFINISHED = new NotYet(Duration.ZERO);

  /** Nothing but another frame can change it. */
  NotYet UNTIL_FRAME = new NotYet(Duration.ofDays(1));

  record Holds(ConditionMet met) implements CheckResult {}

  /** To be checked again when a frame comes, and after this time at the latest. */
  record NotYet(Duration again) implements CheckResult {}
}
