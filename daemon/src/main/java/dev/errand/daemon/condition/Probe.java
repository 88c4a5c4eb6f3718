package dev.errand.daemon.condition;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import java.time.Duration;

/** One condition of one task for who looks at it for as long as the task runs. */
public final class Probe {
  private final Check check;
  private final Time clock;

  Probe(Check check, Time clock) {
    this.check = check;
    this.clock = clock;
  }

  /** What a look shows. */
  public sealed interface Seen {
    record Holds(Held held) implements Seen {}

    /** To be looked at again when a frame comes, and after this time at the latest. */
    record NotYet(Duration again) implements Seen {}
  }

  /** Whether what holds does so until the task writes again, and need not be looked at before. */
  public boolean holdsUntilOutput() {
    return check.holdsUntilOutput();
  }

  public Seen look(Snapshot snapshot) throws InterruptedException {
    if (!(snapshot.state() instanceof TaskState.Live live)) {
      return new Seen.NotYet(Check.Verdict.UNTIL_FRAME.again());
    }
    return switch (check.look(Moment.of(snapshot, live, clock))) {
      case Check.Verdict.Holds(var held) -> new Seen.Holds(held);
      case Check.Verdict.NotYet(var again) -> new Seen.NotYet(again);
    };
  }
}
