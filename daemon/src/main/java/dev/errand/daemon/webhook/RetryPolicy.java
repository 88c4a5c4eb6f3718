package dev.errand.daemon.webhook;

import java.time.Duration;

/**
 * How long a target is waited for: twice as long after each failure, and for each notice only until
 * it is so old.
 */
record RetryPolicy(Duration first, Duration longest, Duration ageMax) {
  private static final int DOUBLINGS_MAX = 20;

  /** How long to wait after that many failures. */
  Duration afterTry(int tries) {
    var doubled = first.multipliedBy(1L << Math.clamp(tries - 1, 0, DOUBLINGS_MAX));
    return doubled.compareTo(longest) > 0 ? longest : doubled;
  }
}
