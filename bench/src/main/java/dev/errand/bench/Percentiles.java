package dev.errand.bench;

import java.util.Arrays;

/** How long something took, many times. Belongs to one thread. */
final class Percentiles {
  private static final double NANOS_PER_MS = 1e6;

  private long[] nanos = new long[1024];
  private int count;

  void add(long elapsedNanos) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, count * 2);
    }
    nanos[count++] = elapsedNanos;
  }

  void addAll(Percentiles other) {
    for (var i = 0; i < other.count; i++) {
      add(other.nanos[i]);
    }
  }

  int count() {
    return count;
  }

  /** The value that this share (0.5, 0.99) of all stayed at or below, in milliseconds. */
  double ms(double share) {
    var sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    var at = Math.min(count - 1, (int) Math.ceil(share * count) - 1);
    return count == 0 ? Double.NaN : sorted[Math.max(0, at)] / NANOS_PER_MS;
  }

  double p50() {
    return ms(0.5);
  }

  double p99() {
    return ms(0.99);
  }
}
