package dev.errand.daemon.condition;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.error.PastEnd;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.task.TaskViews;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;

/** Waits until a condition holds of a task. Any number of threads may, each for itself. */
public final class Conditions {
  private final Engine engine;
  private final Feed feed;
  private final TaskViews views;
  private final TaskFrames frames;
  private final Sources sources;
  private final Time clock;

  /** What there is to look at beside the frames. */
  public record Sources(LogStore logs, ListeningPorts ports, Terminals terminals) {}

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
   * Returns when a condition holds, the task is over, or the time has passed. It takes of the share
   * only while it looks, and is refused only at its beginning.
   */
  public Awaited await(Share share, TaskId taskId, Until until, Duration timeout)
      throws InterruptedException {
    var deadline = clock.ticks() + timeout.toNanos();
    if (until.any().stream().anyMatch(Conditions::isComputed)) {
      share.checkRoom();
    }
    try (var following = feed.follow(StreamKey.of(taskId))) {
      var moments = new Moments(engine, views, taskId, following, clock);
      var growth = following.growth();
      var moment = moments.now();
      var watch = new Watch(checks(share.admitted(), until, moment), clock);
      while (true) {
        var found = watch.look(moment);
        if (found != null) {
          return found;
        }
        var left = deadline - clock.ticks();
        if (left <= 0) {
          return watch.timedOut();
        }
        watch.pause(following, moment, growth, Duration.ofNanos(left));
        growth = following.growth();
        moment = moments.now();
      }
    }
  }

  private List<List<Check>> checks(Share share, Until until, Moment first) {
    var checks = new ArrayList<List<Check>>();
    for (var condition : until.any()) {
      checks.add(
          switch (condition) {
            case Condition.Exit _ -> List.of(new ExitCheck());
            case Condition.Text it -> texts(share, it, until, first);
            case Condition.Screen(var pattern) -> {
              mustHaveTerminal(first, "screen");
              yield List.of(new ScreenCheck(pattern, sources.terminals(), share, clock));
            }
            case Condition.Prompt _ -> {
              mustHaveTerminal(first, "prompt");
              yield List.of(new PromptCheck(sources.terminals(), share, frames, engine, clock));
            }
            case Condition.Idle(var quiet) -> List.of(new IdleCheck(quiet, frames, clock));
            case Condition.Port(var number) ->
                List.of(new PortCheck(number, sources.ports(), clock));
            case Condition.Ready _ -> {
              mustTellReadiness(first);
              yield List.of(new ReadyCheck());
            }
            case Condition.Http it -> List.of(http(it));
            case Condition.File(var path) -> List.of(new FileCheck(path));
          });
    }
    return checks;
  }

  /** One condition, to be looked at by who watches the task for long; not for text. */
  public Probe probe(Share share, Condition condition) {
    return new Probe(
        switch (condition) {
          case Condition.Idle(var quiet) -> new IdleCheck(quiet, frames, clock);
          case Condition.Port(var number) -> new PortCheck(number, sources.ports(), clock);
          case Condition.Prompt _ ->
              new PromptCheck(sources.terminals(), share, frames, engine, clock);
          case Condition.Http it -> http(it);
          case Condition.File(var path) -> new FileCheck(path);
          case Condition.Exit _, Condition.Ready _, Condition.Text _, Condition.Screen _ ->
              throw new IllegalArgumentException("not to be probed: " + condition);
        },
        clock);
  }

  private static boolean isComputed(Condition condition) {
    return switch (condition) {
      case Condition.Text _, Condition.Screen _, Condition.Prompt _ -> true;
      case Condition.Exit _,
          Condition.Idle _,
          Condition.Port _,
          Condition.Ready _,
          Condition.Http _,
          Condition.File _ ->
          false;
    };
  }

  private HttpCheck http(Condition.Http wanted) {
    var own = wanted.ownOnly() ? new OwnServers(engine, sources.ports()) : null;
    return new HttpCheck(wanted.url(), own, clock);
  }

  private void mustTellReadiness(Moment first) {
    if (engine.snapshot(first.taskId()).state() instanceof TaskState.Live live
        && live.known().spec().attention().readyWhen() == null) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "the task never says that it is ready: it was spawned without ready_when; wait for text,"
              + " a port or something else");
    }
  }

  private static void mustHaveTerminal(Moment first, String kind) {
    if (!first.totals().containsKey(LogStream.PTY)) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "only a task with a terminal has a "
              + kind
              + "; this one has pipes: wait for text, or spawn it with execution_mode pty");
    }
  }

  private List<Check> texts(Share share, Condition.Text text, Until until, Moment first) {
    var wanted = text.stream();
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
    for (var stream : streams) {
      var start =
          new TextCheck.LogStart(first.taskId(), stream, until.from().getOrDefault(stream, 0L));
      checks.add(new TextCheck(text.pattern(), start, share, sources.logs(), frames, clock));
    }
    return checks;
  }

  /** One offset may be meant for several streams; it must lie in one of those that it is for. */
  private void checkWithin(TaskId taskId, Set<LogStream> streams, Until until) {
    var furthest = new HashMap<Long, Long>();
    for (var stream : streams) {
      var total = sources.logs().total(taskId, stream);
      furthest.merge(until.from().getOrDefault(stream, 0L), total, Math::max);
    }
    furthest.forEach((offset, total) -> PastEnd.checkOffset("from_offset", offset, total));
  }
}
