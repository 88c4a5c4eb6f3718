package dev.errand.daemon.condition;

import dev.errand.core.time.Time;
import java.time.Duration;

/** Whether a running task has written nothing for a time. */
final class IdleCheck implements Check {
  private final Duration wanted;
  private final OutputSilence silence;

  IdleCheck(Duration wanted, TaskFrames frames, Time clock) {
    this.wanted = wanted;
    this.silence = new OutputSilence(frames, clock, wanted);
  }

  @Override
  public boolean holdsUntilOutput() {
    return true;
  }

  @Override
  public CheckResult check(Observation seen) {
    var process = seen.process();
    if (process == null) {
      return CheckResult.UNTIL_FRAME;
    }
    var since = silence.of(seen, process);
    var left = wanted.minus(since);
    return left.isPositive()
        ? new CheckResult.NotYet(left)
        : new CheckResult.Holds(new ConditionMet.Idle(seen.seq(), since));
  }
}
