package dev.errand.daemon.compute;

import java.time.Duration;

/** Does each job at once, on the thread that asks, in steps of this length. */
public record DirectShare(Duration step) implements Share {
  public static final DirectShare INSTANCE = new DirectShare(ComputePool.STEP_TIME);

  /** The time of each step is over before it begins. */
  public static final DirectShare WITHOUT_TIME = new DirectShare(Duration.ofMillis(-1));

  @Override
  public void run(Job job) throws InterruptedException {
    while (!job.goOn(System.nanoTime() + step.toNanos())) {
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
