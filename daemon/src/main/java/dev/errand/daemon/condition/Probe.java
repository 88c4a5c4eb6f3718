package dev.errand.daemon.condition;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;

/** One condition of one task, for a caller that checks it for as long as the task runs. */
public final class Probe {
  private final Check check;
  private final Time clock;

  Probe(Check check, Time clock) {
    this.check = check;
    this.clock = clock;
  }

  /** Whether it stays true until the task writes again, and needs no check before. */
  public boolean holdsUntilOutput() {
    return check.holdsUntilOutput();
  }

  public CheckResult check(Snapshot snapshot) throws InterruptedException {
    return snapshot.state() instanceof TaskState.Live live
        ? check.check(Observation.of(snapshot, live, clock))
        : CheckResult.UNTIL_FRAME;
  }
}
