package dev.errand.cli.launch;

import java.time.Duration;

/** How long something is waited for; the end may come nearer, never further. */
final class StartTimeout {
  private final long began = System.nanoTime();
  private long nanos;
  private boolean shortened;

  StartTimeout(Duration most) {
    this.nanos = most.toNanos();
  }

  /** From now on at most this long; only the first such word counts. */
  void atMost(Duration more) {
    if (!shortened) {
      shortened = true;
      nanos = Math.min(nanos, waited().plus(more).toNanos());
    }
  }

  private Duration waited() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  boolean isOver() {
    return waited().toNanos() > nanos;
  }
}
