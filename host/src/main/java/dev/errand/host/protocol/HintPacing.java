package dev.errand.host.protocol;

import java.util.concurrent.locks.LockSupport;

/**
 * Lets two hints through in a short time, because a start and the first output follow each other
 * closely, and delays the next. Belongs to the thread that writes.
 *
 * <p>Uses real time: answers wait for a hint, so a clock that a test moves would delay them.
 */
final class HintPacing {
  private static final long TWO_HINTS_NANOS = 600_000;

  private long lastNanos = System.nanoTime() - TWO_HINTS_NANOS;
  private long beforeNanos = lastNanos;

  /** Returns when the next hint may be sent. */
  void pause() {
    var wait = beforeNanos + TWO_HINTS_NANOS - System.nanoTime();
    if (wait > 0) {
      LockSupport.parkNanos(wait);
    }
    beforeNanos = lastNanos;
    lastNanos = System.nanoTime();
  }
}
