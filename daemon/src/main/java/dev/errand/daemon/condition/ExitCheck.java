package dev.errand.daemon.condition;

/** Whether the task is over. */
final class ExitCheck implements Check {
  @Override
  public CheckResult check(Observation seen) {
    return seen.ended()
        ? new CheckResult.Holds(new ConditionMet.Exit(seen.seq()))
        : CheckResult.UNTIL_FRAME;
  }
}
