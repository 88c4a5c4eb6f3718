package dev.errand.daemon.condition;

import com.google.re2j.Pattern;
import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.error.PastEnd;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.pattern.BoundedPattern;
import dev.errand.daemon.task.TaskViews;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Waits until a condition of a task is true. Any number of threads may, each for itself. */
public final class Conditions {
  private final Engine engine;
  private final Feed feed;
  private final TaskViews views;
  private final TaskFrames frames;
  private final Sources sources;
  private final Time clock;

  /** What is read besides the frames. */
  public record Sources(LogStore logs, ListeningPorts ports, ScreenSource terminals) {}

  public Conditions(
      Engine engine, Journal journal, FrameCodec codec, Feed feed, Sources sources, Time clock) {
    this.engine = engine;
    this.feed = feed;
    this.views = new TaskViews(engine, journal, codec);
    this.frames = new TaskFrames(journal, codec);
    this.sources = sources;
    this.clock = clock;
  }

  /**
   * Returns when a condition is true, the task is over, or the time has passed. It uses the share
   * only while it checks, and is refused only at its beginning.
   */
  public Awaited await(Share share, TaskId taskId, WaitUntil until, Duration timeout)
      throws InterruptedException {
    var deadline = clock.ticks() + timeout.toNanos();
    if (until.any().stream().anyMatch(Conditions::isComputed)) {
      share.checkRoom();
    }
    try (var following = feed.follow(StreamKey.of(taskId))) {
      var observations = new Observations(engine, views, taskId, following, clock);
      var growth = following.growth();
      var seen = observations.now();
      var watch = new WaitChecks(checks(share.admitted(), until, seen), clock);
      while (true) {
        var found = watch.check(seen);
        if (found != null) {
          return found;
        }
        var left = deadline - clock.ticks();
        if (left <= 0) {
          return watch.timedOut();
        }
        watch.pause(following, seen, growth, Duration.ofNanos(left));
        growth = following.growth();
        seen = observations.now();
      }
    }
  }

  private List<List<Check>> checks(Share share, WaitUntil until, Observation first) {
    // The spec of an ended task is not needed; its state would have to be folded from its frames.
    var spec = first.ended() ? null : spec(first.taskId());
    var checks = new ArrayList<List<Check>>();
    for (var condition : until.any()) {
      if (condition instanceof WatchCondition.OfTerminal it) {
        mustHaveTerminal(first, it);
      }
      if (condition instanceof WatchCondition.Ready) {
        mustTellReadiness(spec);
      }
      checks.add(
          condition instanceof WatchCondition.Regex text
              ? texts(share, text, until, first)
              : List.of(check(share, condition, spec)));
    }
    return checks;
  }

  private @Nullable TaskSpec spec(TaskId taskId) {
    return engine.snapshot(taskId).state() instanceof TaskState.Live it ? it.facts().spec() : null;
  }

  /** One condition, for a caller that watches the task for long; not for text. */
  public Probe probe(Share share, WatchCondition condition, TaskSpec spec) {
    return new Probe(check(share, condition, spec), clock);
  }

  /**
   * The check of a condition.
   *
   * @param spec of a running task
   */
  private Check check(Share share, WatchCondition condition, @Nullable TaskSpec spec) {
    return switch (condition) {
      case WatchCondition.Exit _ -> new ExitCheck();
      case WatchCondition.Ready _ -> new ReadyCheck();
      case WatchCondition.Screen(var pattern) ->
          new ScreenCheck(compiled(pattern), sources.terminals(), share, clock);
      case WatchCondition.Prompt _ ->
          new PromptCheck(sources.terminals(), share, frames, engine, clock);
      case WatchCondition.Silence(var quiet) -> new IdleCheck(quiet, frames, clock);
      case WatchCondition.Port(var number) -> new PortCheck(number, sources.ports(), clock);
      case WatchCondition.Http(var url) -> http(URI.create(url), underWay(spec));
      case WatchCondition.File(var path) ->
          new FileCheck(Path.of(underWay(spec).work().cwd()).resolve(path));
      case WatchCondition.Regex _ ->
          throw new IllegalArgumentException("text is scanned, not checked");
    };
  }

  private static TaskSpec underWay(@Nullable TaskSpec spec) {
    if (spec == null) {
      throw new IllegalArgumentException("only a running task has a folder and a ruling");
    }
    return spec;
  }

  /** In a log ^ and $ match at lines; \A and \z match at its ends. */
  static Pattern compiled(String pattern) {
    return BoundedPattern.compileQuick(pattern, Pattern.MULTILINE);
  }

  private static boolean isComputed(WatchCondition condition) {
    return condition instanceof WatchCondition.OfPattern
        || condition instanceof WatchCondition.OfTerminal;
  }

  /** A task of the safe profile may only ask servers of such tasks. */
  private HttpCheck http(URI url, TaskSpec spec) {
    var ruling = spec.ruling();
    var ownOnly = ruling != null && ruling.profile() == Profile.SAFE;
    return new HttpCheck(url, ownOnly ? new OwnServers(engine, sources.ports()) : null, clock);
  }

  private static void mustTellReadiness(@Nullable TaskSpec spec) {
    if (spec != null && spec.watching().readyWhen() == null) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "the task has no readiness: it was spawned without ready_when; wait for text,"
              + " a port or something else");
    }
  }

  private static void mustHaveTerminal(Observation first, WatchCondition.OfTerminal wanted) {
    if (!first.totals().containsKey(LogStream.PTY)) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "only a task with a terminal has a "
              + (wanted instanceof WatchCondition.Screen ? "screen" : "prompt")
              + "; this one has pipes: wait for text, or spawn it with execution_mode pty");
    }
  }

  private List<Check> texts(
      Share share, WatchCondition.Regex text, WaitUntil until, Observation first) {
    var wanted = text.scope();
    if (wanted != null && !first.totals().containsKey(wanted)) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "the task has no stream "
              + wanted.word()
              + "; it has "
              + String.join(", ", first.totals().keySet().stream().map(LogStream::word).toList()));
    }
    var streams = wanted == null ? first.totals().keySet() : Set.of(wanted);
    checkWithin(first.taskId(), streams, until);
    var checks = new ArrayList<Check>();
    var pattern = compiled(text.pattern());
    for (var stream : streams) {
      var start =
          new TextCheck.LogStart(first.taskId(), stream, until.from().getOrDefault(stream, 0L));
      checks.add(new TextCheck(pattern, start, share, sources.logs(), frames, clock));
    }
    return checks;
  }

  /** One offset may be for several streams; it must be within one of them. */
  private void checkWithin(TaskId taskId, Set<LogStream> streams, WaitUntil until) {
    var furthest = new HashMap<Long, Long>();
    for (var stream : streams) {
      var total = sources.logs().total(taskId, stream);
      furthest.merge(until.from().getOrDefault(stream, 0L), total, Math::max);
    }
    furthest.forEach((offset, total) -> PastEnd.checkOffset("from_offset", offset, total));
  }
}
