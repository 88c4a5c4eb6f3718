package dev.errand.daemon.watch;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand.Watched.Sighting;
import dev.errand.core.task.TaskEvent.Match;
import dev.errand.core.task.WatchProgress;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.config.Config;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits how often the hits of one watcher are recorded. A few are recorded one by one; if they
 * come faster they are counted, and recorded together at intervals; after very many the watcher is
 * silenced, which is recorded too. Only hits after that are lost.
 */
final class HitLimiter {
  private final int watcher;
  private final boolean once;
  private final Config.Watching limits;
  private final Map<LogStream, Gathered> gathered = new EnumMap<>(LogStream.class);

  /** All hits, those that are not recorded yet included. */
  private long count;

  private boolean silenced;
  private boolean flooded;
  private int singles;
  private long windowNanos;
  private long recordedNanos;

  /** Hits of one log that wait to be recorded, and where the last of them is. */
  private record Gathered(long count, Match last, String snippet) {}

  HitLimiter(int number, Watcher watcher, WatchProgress.Hits before, Config.Watching limits) {
    this.watcher = number;
    this.once = watcher.once();
    this.limits = limits;
    this.count = before.count();
    this.silenced = before.silenced();
  }

  /** Whether it still takes hits. */
  boolean isOpen() {
    return !silenced && !(once && count > 0);
  }

  /** Takes a hit; what must be recorded now is added to the list. */
  void hit(@Nullable Match match, String snippet, long nowNanos, List<Sighting> out) {
    if (!isOpen()) {
      return;
    }
    count++;
    if (singles == 0 || nowNanos - windowNanos >= limits.coolDown().toNanos()) {
      windowNanos = nowNanos;
      singles = 0;
    }
    if (match == null || (!flooded && singles < limits.burstHits())) {
      singles++;
      recordedNanos = nowNanos;
      out.add(new Sighting(watcher, match, snippet, 1, null));
    } else {
      flooded = true;
      gathered.merge(
          match.stream(),
          new Gathered(1, match, snippet),
          (old, it) -> new Gathered(old.count() + 1, it.last(), it.snippet()));
    }
    if (count >= limits.hitsMax() && !once) {
      silence("too many hits", out);
    }
  }

  /** Adds the waiting hits to the list if it is time for them, or if this is the last call. */
  void flush(long nowNanos, boolean last, List<Sighting> out) {
    if (!flooded || (!last && dueNanos() > nowNanos)) {
      return;
    }
    var waiting = gathered.values().stream().mapToLong(Gathered::count).sum();
    record(out);
    recordedNanos = nowNanos;
    if (waiting < limits.burstHits()) {
      flooded = false;
      singles = 0;
    }
  }

  /** Stops the watcher, for this reason. */
  void silence(String reason, List<Sighting> out) {
    if (isOpen()) {
      record(out);
      silenced = true;
      out.add(new Sighting(watcher, null, "", 0, reason));
    }
  }

  /** How long the waiting hits may wait; null if there are none. */
  @Nullable Duration due(long nowNanos) {
    return flooded && !silenced ? Duration.ofNanos(Math.max(0, dueNanos() - nowNanos)) : null;
  }

  private long dueNanos() {
    return recordedNanos + limits.coolDown().toNanos();
  }

  private void record(List<Sighting> out) {
    gathered
        .values()
        .forEach(it -> out.add(new Sighting(watcher, it.last(), it.snippet(), it.count(), null)));
    gathered.clear();
  }
}
