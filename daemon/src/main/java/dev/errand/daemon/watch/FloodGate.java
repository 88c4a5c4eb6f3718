package dev.errand.daemon.watch;

import dev.errand.core.task.Attended;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand.Watched.Sighting;
import dev.errand.core.task.TaskEvent.Match;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.config.Config;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One watcher's hits on their way to the record. A few are recorded one by one; when they come
 * faster they are counted, and recorded together once in a while; and behind very many the watcher
 * is silenced, which is recorded too. No hit is lost by this but those behind the last.
 */
final class FloodGate {
  private final int watcher;
  private final boolean once;
  private final Config.Watching limits;
  private final Map<LogStream, Gathered> gathered = new EnumMap<>(LogStream.class);

  /** All hits, those among them that are not recorded yet. */
  private long count;

  private boolean silenced;
  private boolean flooded;
  private int singles;
  private long windowNanos;
  private long recordedNanos;

  /** Hits of one log that wait, and where the last of them is. */
  private record Gathered(long count, Match last, String snippet) {}

  FloodGate(int number, Watcher watcher, Attended.Hits before, Config.Watching limits) {
    this.watcher = number;
    this.once = watcher.once();
    this.limits = limits;
    this.count = before.count();
    this.silenced = before.silenced();
  }

  /** Whether it looks any further. */
  boolean isOpen() {
    return !silenced && !(once && count > 0);
  }

  /** Takes a hit; what is to be recorded now goes to the list. */
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

  /** What has gathered goes to the list where it is time for it, or where it is the last chance. */
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

  /** The watcher looks no further, for this reason. */
  void silence(String reason, List<Sighting> out) {
    if (isOpen()) {
      record(out);
      silenced = true;
      out.add(new Sighting(watcher, null, "", 0, reason));
    }
  }

  /** How long what has gathered may wait; null where nothing has. */
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
