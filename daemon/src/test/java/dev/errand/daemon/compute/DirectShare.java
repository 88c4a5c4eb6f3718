package dev.errand.daemon.compute;

import dev.errand.core.time.Time;
import dev.errand.wire.time.SystemTime;
import java.time.Duration;

/** Does each job at once, on the thread that asks, in steps of this length. */
public record DirectShare(Time clock, Duration step) implements Share {
  private static final Time MACHINE = new SystemTime();

  public static final DirectShare INSTANCE = new DirectShare(MACHINE, ComputePool.STEP_TIME);

  /** The time of each step is over before it begins. */
  public static final DirectShare WITHOUT_TIME = new DirectShare(MACHINE, Duration.ofMillis(-1));

  @Override
  public void run(Job job) throws InterruptedException {
    while (!job.goOn(clock.ticks() + step.toNanos())) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @Override
  public void checkRoom() {}

  @Override
  public Share admitted() {
    return this;
  }
}
