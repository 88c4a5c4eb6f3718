package dev.errand.wire.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes idempotency keys. They must never meet, but need not be hard to guess, so the random
 * numbers that load quickly are enough beside pid, time and count.
 */
final class IdempotencyKeys {
  private static final AtomicLong COUNT = new AtomicLong();
  private static final String PREFIX =
      Long.toHexString(ProcessHandle.current().pid())
          + "-"
          + Long.toHexString(System.currentTimeMillis())
          + "-"
          + Long.toHexString(System.nanoTime());

  private IdempotencyKeys() {}

  static String next() {
    var random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return PREFIX + "-" + COUNT.incrementAndGet() + "-" + random;
  }
}
