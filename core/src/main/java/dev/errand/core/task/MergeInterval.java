package dev.errand.core.task;

import java.time.Duration;

/**
 * For how long output is gathered before one frame of each stream tells of it. A task with few
 * frames gathers nothing. From half of its limit on it gathers, and twice as long each time that
 * half of what is left of the limit is used, so that the limit is approached ever more slowly.
 */
public final class MergeInterval {
  /** From half of the limit on. */
  public static final Duration MIN = Duration.ofSeconds(1);

  /** Near and past the limit: a long-running task has one frame a minute. */
  public static final Duration MAX = Duration.ofSeconds(60);

  private MergeInterval() {}

  /** The interval of a task with so many frames of so many that it should have. */
  public static Duration of(long frames, long framesMax) {
    var left = framesMax - frames;
    if (left <= 0) {
      return MAX;
    }
    var half = framesMax / 2;
    if (left > half) {
      return Duration.ZERO;
    }
    var interval = MIN;
    while (left <= half / 2 && interval.compareTo(MAX) < 0) {
      half /= 2;
      interval = interval.multipliedBy(2);
    }
    return interval.compareTo(MAX) > 0 ? MAX : interval;
  }
}
