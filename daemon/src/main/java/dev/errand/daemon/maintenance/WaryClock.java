package dev.errand.daemon.maintenance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The wall clock for those who delete: time that this process did not live through is believed only
 * after it has lived a day with it. So a clock that jumps ahead, by an hour or by years, removes
 * nothing early if somebody puts it right within the day; sleep of the machine and a daemon that
 * was away delay a removal by a day at most.
 */
public final class WaryClock implements InstantSource {
  private static final Duration BELIEVED_AFTER = Duration.ofDays(1);

  /** Clocks are corrected and looks are late by so much without any jump. */
  private static final long DRIFT_MS_MAX = 1_000;

  private final InstantSource wall;
  private final LongSupplier nanos;
  private final Deque<Doubt> doubts = new ArrayDeque<>();
  private long lastWallMs;
  private long lastNanos;

  /** Time that is not believed yet, and since when. */
  private record Doubt(long sinceNanos, long ms) {}

  /** {@code lastUse}: when the wall clock was last seen by a daemon of this home. */
  public WaryClock(InstantSource wall, LongSupplier nanos, Instant lastUse) {
    this.wall = wall;
    this.nanos = nanos;
    this.lastWallMs = lastUse.toEpochMilli();
    this.lastNanos = nanos.getAsLong();
  }

  /** When the file was last written; now if there is none. */
  public static Instant lastUse(Path database, InstantSource clock) {
    try {
      return Files.getLastModifiedTime(database).toInstant();
    } catch (IOException e) {
      return clock.instant();
    }
  }

  @Override
  public synchronized Instant instant() {
    var nowMs = wall.millis();
    var nowNanos = nanos.getAsLong();
    var livedMs = Duration.ofNanos(nowNanos - lastNanos).toMillis();
    var skippedMs = nowMs - lastWallMs - livedMs;
    if (skippedMs > DRIFT_MS_MAX) {
      doubts.addLast(new Doubt(nowNanos, skippedMs));
    } else if (skippedMs < -DRIFT_MS_MAX) {
      takeBack(-skippedMs);
    }
    lastWallMs = nowMs;
    lastNanos = nowNanos;
    while (!doubts.isEmpty()
        && nowNanos - doubts.getFirst().sinceNanos() >= BELIEVED_AFTER.toNanos()) {
      doubts.removeFirst();
    }
    return Instant.ofEpochMilli(nowMs - doubts.stream().mapToLong(Doubt::ms).sum());
  }

  /** A step back puts right what was doubted last. */
  private void takeBack(long ms) {
    var left = ms;
    while (left > 0 && !doubts.isEmpty()) {
      var doubt = doubts.removeLast();
      var taken = Math.min(left, doubt.ms());
      left -= taken;
      if (taken < doubt.ms()) {
        doubts.addLast(new Doubt(doubt.sinceNanos(), doubt.ms() - taken));
      }
    }
  }
}
