package dev.errand.daemon.watch;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand.Watched.Sighting;
import dev.errand.core.task.TaskEvent.Match;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchProgress;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All watchers of one task, and its readiness, which counts as one more with the next number. For
 * one thread at a time.
 */
final class WatcherSet {
  private static final Duration UNTIL_FRAME = Duration.ofDays(1);

  private final List<HitLimiter> limiters = new ArrayList<>();
  private final Map<Integer, LevelWatcher> levels = new TreeMap<>();

  /** The watcher of each pattern. */
  private final List<Integer> numbers = new ArrayList<>();

  private final OutputScan scan;
  private final Time clock;
  private final int readiness;
  private boolean isReady;
  private @Nullable String readyText;
  private List<Sighting> found = new ArrayList<>();

  private WatcherSet(TaskId taskId, TaskState.Live live, Watchers.Sources sources, Share share) {
    var facts = live.facts();
    var watching = facts.spec().watching();
    var watched = facts.watched();
    clock = sources.clock();
    readiness = watching.watchers().size();
    isReady = watched.isReady() || watching.readyWhen() == null;
    var patterns = new ArrayList<OutputScan.Wanted>();
    for (var i = 0; i < readiness; i++) {
      var watcher = watching.watchers().get(i);
      var hits = watched.of(i);
      limiters.add(new HitLimiter(i, watcher, hits, sources.limits().get()));
      if (watcher.condition() instanceof WatchCondition.Regex regex) {
        numbers.add(i);
        patterns.add(new OutputScan.Wanted(regex.pattern(), scope(regex, live), after(hits)));
      } else {
        levels.put(i, levelWatcher(watcher.condition(), live, sources, share, hits.count() > 0));
      }
    }
    var ready = watching.readyWhen();
    if (ready instanceof WatchCondition.Regex regex && !isReady) {
      numbers.add(readiness);
      var starts = new EnumMap<LogStream, OutputScan.Start>(LogStream.class);
      // The output of an earlier attempt does not make this one ready.
      if (facts.attempts() > 1) {
        AttemptStart.of(taskId, sources.journal(), sources.codec())
            .forEach((stream, offset) -> starts.put(stream, OutputScan.Start.at(offset)));
      }
      patterns.add(new OutputScan.Wanted(regex.pattern(), scope(regex, live), starts));
    } else if (ready != null && !isReady) {
      levels.put(readiness, levelWatcher(ready, live, sources, share, false));
    }
    scan =
        new OutputScan(
            taskId,
            sources.logs(),
            facts.spec().work().streams(),
            patterns,
            new PatternSink(),
            clock);
  }

  static WatcherSet of(TaskId taskId, TaskState.Live live, Watchers.Sources sources, Share share) {
    return new WatcherSet(taskId, live, sources, share);
  }

  /** A terminal has one stream, whatever was asked for. */
  private static @Nullable LogStream scope(WatchCondition.Regex regex, TaskState.Live live) {
    return live.facts().spec().work().terminal() == null ? regex.scope() : null;
  }

  private static Map<LogStream, OutputScan.Start> after(WatchProgress.Hits hits) {
    var starts = new EnumMap<LogStream, OutputScan.Start>(LogStream.class);
    hits.ends().forEach((stream, end) -> starts.put(stream, OutputScan.Start.after(end)));
    return starts;
  }

  private static LevelWatcher levelWatcher(
      WatchCondition wanted,
      TaskState.Live live,
      Watchers.Sources sources,
      Share share,
      boolean holding) {
    var probe = sources.conditions().probe(share, wanted, live.facts().spec());
    return new LevelWatcher(probe, holding, sources.clock().ticks());
  }

  private final class PatternSink implements OutputScan.Sink {
    @Override
    public boolean isOpen(int pattern) {
      return WatcherSet.this.isOpen(numbers.get(pattern));
    }

    @Override
    public void hit(int pattern, Match match, String snippet) {
      take(numbers.get(pattern), match, snippet);
    }
  }

  private boolean isOpen(int number) {
    return number == readiness ? !isReady : limiters.get(number).isOpen();
  }

  private void take(int number, @Nullable Match match, String snippet) {
    if (number == readiness) {
      isReady = true;
      readyText = snippet;
    } else {
      limiters.get(number).hit(match, snippet, clock.ticks(), found);
    }
  }

  boolean hasUnread(Map<LogStream, Long> totals) {
    return scan.hasUnread(totals);
  }

  /** Scans the logs; false if the time was over before their end. */
  boolean scan(Map<LogStream, Long> totals, long untilNanos) {
    return scan.scan(totals, untilNanos);
  }

  boolean hasOpenLine() {
    return scan.hasOpenLine();
  }

  void scanRest() {
    scan.scanRest();
  }

  /** Checks all conditions that are not text. */
  void checkConditions(Snapshot snapshot) throws InterruptedException {
    for (var it : levels.entrySet()) {
      var text = isOpen(it.getKey()) ? it.getValue().check(snapshot, clock.ticks()) : null;
      if (text != null) {
        take(it.getKey(), null, text);
      }
    }
  }

  /** Silences the watchers that have not scanned all of the output. */
  void giveUp(Map<LogStream, Long> totals, String reason) {
    for (var pattern : scan.unfinished(totals)) {
      var number = numbers.get(pattern);
      if (number < readiness) {
        limiters.get(number).silence(reason, found);
      }
    }
  }

  /** What must be recorded, in order; each is returned once. */
  List<Sighting> sightings(boolean last) {
    var now = clock.ticks();
    limiters.forEach(it -> it.flush(now, last, found));
    var out = found;
    found = new ArrayList<>();
    return out;
  }

  /** The text that showed that the task is ready, returned once; null if there is none. */
  @Nullable String readiness() {
    var text = readyText;
    readyText = null;
    return text;
  }

  /** The time until the next check, if nothing happens before. */
  Duration again() {
    var soonest = UNTIL_FRAME;
    var now = clock.ticks();
    for (var limiter : limiters) {
      var due = limiter.due(now);
      soonest = due != null && due.compareTo(soonest) < 0 ? due : soonest;
    }
    for (var it : levels.entrySet()) {
      var again = it.getValue().again();
      soonest = isOpen(it.getKey()) && again.compareTo(soonest) < 0 ? again : soonest;
    }
    return soonest;
  }
}
