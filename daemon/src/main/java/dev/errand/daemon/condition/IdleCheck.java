package dev.errand.daemon.condition;

import dev.errand.core.time.Time;
import java.time.Duration;

/** Whether a running task has written nothing for a time. */
final class IdleCheck implements Check {
  private final Duration wanted;
  private final Quiet quiet;

  IdleCheck(Duration wanted, TaskFrames frames, Time clock) {
    this.wanted = wanted;
    this.quiet = new Quiet(frames, clock, wanted);
  }

  @Override
  public boolean holdsUntilOutput() {
    return true;
  }

  @Override
  public Verdict look(Moment moment) {
    var process = moment.process();
    if (process == null) {
      return Verdict.UNTIL_FRAME;
    }
    var since = quiet.at(moment, process);
    var left = wanted.minus(since);
    return left.isPositive()
        ? new Verdict.NotYet(left)
        : new Verdict.Holds(new Held.Idle(moment.seq(), since));
  }
}
