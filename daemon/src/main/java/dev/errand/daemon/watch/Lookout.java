package dev.errand.daemon.watch;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.Attended;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand.Watched.Sighting;
import dev.errand.core.task.TaskEvent.Match;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchCondition;
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
 * All watchers of one task, and its readiness, which is one more of them with a number behind
 * theirs. For one thread at a time.
 */
final class Lookout {
  private static final Duration UNTIL_FRAME = Duration.ofDays(1);

  private final List<FloodGate> gates = new ArrayList<>();
  private final Map<Integer, Edge> edges = new TreeMap<>();

  /** The watcher of each pattern. */
  private final List<Integer> numbers = new ArrayList<>();

  private final OutputScan scan;
  private final Time clock;
  private final int readiness;
  private boolean isReady;
  private @Nullable String readyText;
  private List<Sighting> found = new ArrayList<>();

  private Lookout(TaskId taskId, TaskState.Live live, Watchers.Sources sources, Share share) {
    var known = live.known();
    var attention = known.spec().attention();
    var attended = known.attended();
    clock = sources.clock();
    readiness = attention.watchers().size();
    isReady = attended.isReady() || attention.readyWhen() == null;
    var patterns = new ArrayList<OutputScan.Wanted>();
    for (var i = 0; i < readiness; i++) {
      var watcher = attention.watchers().get(i);
      var hits = attended.of(i);
      gates.add(new FloodGate(i, watcher, hits, sources.limits().get()));
      if (watcher.condition() instanceof WatchCondition.Regex regex) {
        numbers.add(i);
        patterns.add(new OutputScan.Wanted(regex.pattern(), scope(regex, live), behind(hits)));
      } else {
        edges.put(i, edge(watcher.condition(), live, sources, share, hits.count() > 0));
      }
    }
    var ready = attention.readyWhen();
    if (ready instanceof WatchCondition.Regex regex && !isReady) {
      numbers.add(readiness);
      var starts = new EnumMap<LogStream, OutputScan.Start>(LogStream.class);
      // What an earlier attempt wrote says nothing about this one.
      if (known.attempts() > 1) {
        AttemptStart.of(taskId, sources.journal(), sources.codec())
            .forEach((stream, offset) -> starts.put(stream, OutputScan.Start.at(offset)));
      }
      patterns.add(new OutputScan.Wanted(regex.pattern(), scope(regex, live), starts));
    } else if (ready != null && !isReady) {
      edges.put(readiness, edge(ready, live, sources, share, false));
    }
    scan =
        new OutputScan(
            taskId,
            sources.logs(),
            known.spec().work().streams(),
            patterns,
            new PatternSink(),
            clock);
  }

  static Lookout of(TaskId taskId, TaskState.Live live, Watchers.Sources sources, Share share) {
    return new Lookout(taskId, live, sources, share);
  }

  /** A terminal has one stream, whatever was asked for. */
  private static @Nullable LogStream scope(WatchCondition.Regex regex, TaskState.Live live) {
    return live.known().spec().work().terminal() == null ? regex.scope() : null;
  }

  private static Map<LogStream, OutputScan.Start> behind(Attended.Hits hits) {
    var starts = new EnumMap<LogStream, OutputScan.Start>(LogStream.class);
    hits.ends().forEach((stream, end) -> starts.put(stream, OutputScan.Start.behind(end)));
    return starts;
  }

  private static Edge edge(
      WatchCondition wanted,
      TaskState.Live live,
      Watchers.Sources sources,
      Share share,
      boolean holding) {
    var probe = sources.conditions().probe(share, wanted, live.known().spec());
    return new Edge(probe, holding, sources.clock().ticks());
  }

  private final class PatternSink implements OutputScan.Sink {
    @Override
    public boolean isOpen(int pattern) {
      return Lookout.this.isOpen(numbers.get(pattern));
    }

    @Override
    public void hit(int pattern, Match match, String snippet) {
      take(numbers.get(pattern), match, snippet);
    }
  }

  private boolean isOpen(int number) {
    return number == readiness ? !isReady : gates.get(number).isOpen();
  }

  private void take(int number, @Nullable Match match, String snippet) {
    if (number == readiness) {
      isReady = true;
      readyText = snippet;
    } else {
      gates.get(number).hit(match, snippet, clock.ticks(), found);
    }
  }

  boolean isBehind(Map<LogStream, Long> totals) {
    return scan.isBehind(totals);
  }

  /** Reads on in the logs; false where the time was over before their end. */
  boolean scan(Map<LogStream, Long> totals, long untilNanos) {
    return scan.scan(totals, untilNanos);
  }

  boolean hasUnseen() {
    return scan.hasUnseen();
  }

  void lookAtRest() {
    scan.lookAtRest();
  }

  /** Looks at all conditions that are not text. */
  void lookAround(Snapshot snapshot) throws InterruptedException {
    for (var it : edges.entrySet()) {
      var text = isOpen(it.getKey()) ? it.getValue().look(snapshot, clock.ticks()) : null;
      if (text != null) {
        take(it.getKey(), null, text);
      }
    }
  }

  /** Silences those that have not seen all of the output. */
  void giveUp(Map<LogStream, Long> totals, String reason) {
    for (var pattern : scan.behind(totals)) {
      var number = numbers.get(pattern);
      if (number < readiness) {
        gates.get(number).silence(reason, found);
      }
    }
  }

  /** What is to be recorded, in order; each is given out once. */
  List<Sighting> sightings(boolean last) {
    var now = clock.ticks();
    gates.forEach(it -> it.flush(now, last, found));
    var out = found;
    found = new ArrayList<>();
    return out;
  }

  /** What showed that the task is ready, given out once; null where nothing did. */
  @Nullable String readiness() {
    var text = readyText;
    readyText = null;
    return text;
  }

  /** When to look again, if nothing happens before. */
  Duration again() {
    var soonest = UNTIL_FRAME;
    var now = clock.ticks();
    for (var gate : gates) {
      var due = gate.due(now);
      soonest = due != null && due.compareTo(soonest) < 0 ? due : soonest;
    }
    for (var it : edges.entrySet()) {
      var again = it.getValue().again();
      soonest = isOpen(it.getKey()) && again.compareTo(soonest) < 0 ? again : soonest;
    }
    return soonest;
  }
}
