package dev.errand.host.process;

import java.time.Duration;

/** Detects whether a stream brings more than anyone could read, by its recent rate. */
final class FloodDetector {
  /** The largest pipe that every user may ask for. */
  static final int PIPE_BYTES = 1 << 20;

  /** At two gigabytes a second half of such a pipe is full after this time. */
  static final long REST_NANOS = 250_000;

  private static final long WINDOW_NANOS = Duration.ofMillis(10).toNanos();
  private static final long WINDOW_BYTES = 512 << 10;

  private long windowEnd;
  private long windowBytes;
  private boolean rages;

  /** This many bytes came at this time. */
  void came(int bytes, long nanos) {
    if (nanos - windowEnd > 0) {
      // An old window says nothing about the present rate.
      rages = windowBytes >= WINDOW_BYTES && nanos - windowEnd < WINDOW_NANOS;
      windowEnd = nanos + WINDOW_NANOS;
      windowBytes = 0;
    }
    windowBytes += bytes;
  }

  boolean isFlooding() {
    return rages;
  }
}
