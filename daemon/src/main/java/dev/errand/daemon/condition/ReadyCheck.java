package dev.errand.daemon.condition;

/** Whether the task was seen to be ready; one that is over is not. */
final class ReadyCheck implements Check {
  @Override
  public CheckResult check(Observation seen) {
    return seen.readyAtMs() > 0
        ? new CheckResult.Holds(new ConditionMet.Ready(seen.seq(), seen.readyAtMs()))
        : CheckResult.UNTIL_FRAME;
  }
}
