package dev.errand.daemon.webhook;

import java.time.Duration;

/**
 * The delay before the next attempt, doubled after each failure, and the maximum age of a notice.
 */
record RetryPolicy(Duration first, Duration longest, Duration ageMax) {
  private static final int DOUBLINGS_MAX = 20;

  /** The delay after that many failures. */
  Duration afterTry(int tries) {
    var doubled = first.multipliedBy(1L << Math.clamp(tries - 1, 0, DOUBLINGS_MAX));
    return doubled.compareTo(longest) > 0 ? longest : doubled;
  }
}
