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
 * Computes ages for deletion, and distrusts jumps of the wall clock. Time during which this process
 * did not run counts only after a day, and only for older data. So a clock that jumps ahead, by an
 * hour or by years, removes nothing early if it is corrected within a day. Sleep of the machine and
 * a stopped daemon delay the removal of older data by at most their retention and a day.
 */
public final class RetentionClock {
  private static final Duration BELIEVED_AFTER = Duration.ofDays(1);

  /** Clock corrections and late checks up to this are not a jump. */
  private static final long DRIFT_MS_MAX = 1_000;

  private final InstantSource wall;
  private final LongSupplier nanos;
  private final Deque<Doubt> doubts = new ArrayDeque<>();
  private long lastWallMs;
  private long lastNanos;

  /** A jump that does not count yet: where on the wall clock it begins, and when it was found. */
  private record Doubt(long sinceNanos, long fromMs, long ms) {
    long toMs() {
      return fromMs + ms;
    }
  }

  /** {@code lastUse}: when the wall clock was last seen by a daemon of this home. */
  public RetentionClock(InstantSource wall, LongSupplier nanos, Instant lastUse) {
    this.wall = wall;
    this.nanos = nanos;
    this.lastWallMs = lastUse.toEpochMilli();
    this.lastNanos = nanos.getAsLong();
    // Checked now: data from here on is younger than the time without a daemon.
    look();
  }

  /** When the journal was last written; now if there is none. */
  public static Instant lastUse(Path database, InstantSource clock) {
    var log = database.resolveSibling(database.getFileName() + "-wal");
    var newest = Math.max(modifiedMs(database), modifiedMs(log));
    return newest == 0 ? clock.instant() : Instant.ofEpochMilli(newest);
  }

  /** 0 if there is no such file. */
  private static long modifiedMs(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException _) {
      return 0;
    }
  }

  /** The time before which everything has at least this age, without jumps. */
  public synchronized long ago(Duration age) {
    var at = look();
    var left = age.toMillis();
    for (var each = doubts.descendingIterator(); each.hasNext(); ) {
      var doubt = each.next();
      var lived = at - doubt.toMs();
      if (lived >= left) {
        break;
      }
      left -= lived;
      at = doubt.fromMs();
    }
    return at - left;
  }

  /** Detects a jump since the last check; returns the wall clock. */
  private long look() {
    var nowMs = wall.millis();
    var nowNanos = nanos.getAsLong();
    var livedMs = Duration.ofNanos(nowNanos - lastNanos).toMillis();
    var skippedMs = nowMs - lastWallMs - livedMs;
    if (skippedMs > DRIFT_MS_MAX) {
      // Placed at the present: events since the last check may be older than the jump.
      doubts.addLast(new Doubt(nowNanos, nowMs - skippedMs, skippedMs));
    } else if (skippedMs < -DRIFT_MS_MAX) {
      takeBack(-skippedMs);
    }
    lastWallMs = nowMs;
    lastNanos = nowNanos;
    while (!doubts.isEmpty()
        && nowNanos - doubts.getFirst().sinceNanos() >= BELIEVED_AFTER.toNanos()) {
      doubts.removeFirst();
    }
    return nowMs;
  }

  /** A step back cancels the latest jumps. */
  private void takeBack(long ms) {
    var left = ms;
    while (left > 0 && !doubts.isEmpty()) {
      var doubt = doubts.removeLast();
      var taken = Math.min(left, doubt.ms());
      left -= taken;
      if (taken < doubt.ms()) {
        doubts.addLast(new Doubt(doubt.sinceNanos(), doubt.fromMs(), doubt.ms() - taken));
      }
    }
  }
}
