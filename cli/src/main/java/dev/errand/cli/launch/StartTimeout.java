package dev.errand.cli.launch;

import java.time.Duration;

/** A timeout that can be shortened once. */
final class StartTimeout {
  private final long began = System.nanoTime();
  private long nanos;
  private boolean shortened;

  StartTimeout(Duration most) {
    this.nanos = most.toNanos();
  }

  /** Limits the rest to this long; only the first call counts. */
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
