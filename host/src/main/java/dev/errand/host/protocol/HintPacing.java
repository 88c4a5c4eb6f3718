package dev.errand.host.protocol;

import java.util.concurrent.locks.LockSupport;

/**
 * Lets two hints go in a short time, because a start and the first output follow each other at
 * once, and makes the next wait. Belongs to the thread that writes.
 *
 * <p>By the clock of the machine: answers wait behind a hint, so a clock that a test moves would
 * hold them up.
 */
final class HintPacing {
  private static final long TWO_HINTS_NANOS = 600_000;

  private long lastNanos = System.nanoTime() - TWO_HINTS_NANOS;
  private long beforeNanos = lastNanos;

  /** Returns when the next hint may go. */
  void pause() {
    var wait = beforeNanos + TWO_HINTS_NANOS - System.nanoTime();
    if (wait > 0) {
      LockSupport.parkNanos(wait);
    }
    beforeNanos = lastNanos;
    lastNanos = System.nanoTime();
  }
}
