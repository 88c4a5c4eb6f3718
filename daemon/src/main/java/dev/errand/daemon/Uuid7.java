package dev.errand.daemon;

import dev.errand.core.engine.Ids;
import dev.errand.core.task.TaskId;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates UUIDs of version 7. They are strictly increasing, also if the clock jumps back and over a
 * restart: lists, queues and lanes use the order of ids.
 */
final class Uuid7 implements Ids {

  /** Below the milliseconds a counter of this many bits orders ids of the same millisecond. */
  private static final int COUNTER_BITS = 12;

  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final AtomicLong last = new AtomicLong();

  Uuid7(InstantSource clock) {
    this.clock = clock;
  }

  /** All new ids sort after this one, which an earlier daemon created. */
  void continueAfter(TaskId taskId) {
    var high = UUID.fromString(taskId.value()).getMostSignificantBits();
    var stamp = (high >>> 16 << COUNTER_BITS) | (high & ((1 << COUNTER_BITS) - 1));
    last.accumulateAndGet(stamp, Math::max);
  }

  @Override
  public String next() {
    var now = clock.millis() << COUNTER_BITS;
    var stamp = last.updateAndGet(it -> Math.max(it + 1, now));
    var millis = stamp >>> COUNTER_BITS;
    var counter = stamp & ((1 << COUNTER_BITS) - 1);
    var high = (millis << 16) | 0x7000L | counter;
    var low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
    return new UUID(high, low).toString();
  }
}
