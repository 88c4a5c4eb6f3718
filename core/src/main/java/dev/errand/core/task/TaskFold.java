package dev.errand.core.task;

import dev.errand.core.task.TaskState.Absent;
import dev.errand.core.task.TaskState.Attempt;
import dev.errand.core.task.TaskState.CancelRequest;
import dev.errand.core.task.TaskState.Claimed;
import dev.errand.core.task.TaskState.Ended;
import dev.errand.core.task.TaskState.Held;
import dev.errand.core.task.TaskState.Hosted;
import dev.errand.core.task.TaskState.Live;
import dev.errand.core.task.TaskState.Queued;
import dev.errand.core.task.TaskState.Running;
import java.util.List;

/** Folds a task's events into its state. It refuses nothing: what happened has happened. */
public final class TaskFold {

  /** Raised whenever a recorded log would fold to something else than before. */
  public static final int VERSION = 1;

  private TaskFold() {}

  /** The state after this event, which was recorded at that time. */
  public static TaskState.Present evolve(TaskState state, TaskEvent event, long atMs) {
    return switch (state) {
      case Absent _ -> spawned(event, atMs);
      case Live live -> advance(counted(live), event);
      case Ended _ -> throw new IllegalStateException("an event after the end: " + event);
    };
  }

  private static TaskState.Present spawned(TaskEvent event, long atMs) {
    if (event instanceof TaskEvent.Spawned(var spec)) {
      return begun(spec, Logs.empty(spec.work().streams()), atMs);
    }
    throw new IllegalStateException("a task begins by being spawned, not by " + event);
  }

  /** The state of a task whose first frames are lost; it has every stream. */
  public static TaskState.Present unreadable(TaskSpec spec, long atMs) {
    return begun(spec, Logs.empty(List.of(LogStream.values())), atMs);
  }

  private static TaskState.Present begun(TaskSpec spec, Logs logs, long atMs) {
    var facts =
        new TaskFacts(
            spec, atMs, 0, 0, 1, false, logs, null, spec.work().terminal(), WatchProgress.NOTHING);
    var ruling = spec.ruling();
    return ruling != null && ruling.answer() instanceof Ruling.Answer.Asked(var untilMs)
        ? new Held(facts, untilMs)
        : new Queued(facts);
  }

  private static TaskState.Present advance(Live state, TaskEvent event) {
    var facts = state.facts();
    return switch (event) {
      case TaskEvent.Spawned _ -> throw new IllegalStateException("spawned twice");
      case TaskEvent.Approved _ -> new Queued(facts);
      case TaskEvent.Denied _ -> state;
      case TaskEvent.Attempted it ->
          new Claimed(facts.attempted(it.attempt()), new Attempt(it.attempt(), it.hostId(), 0));
      case TaskEvent.Started it ->
          new Running(
              facts.started(it.startedAtMs()), attempt(state).upTo(it.record()), it.process());
      case TaskEvent.Output it ->
          fromHost(state, it, answered(grown(facts, it.stream(), it.offset() + it.bytes())));
      case TaskEvent.OutputMerged it -> fromHost(state, it, facts.merging());
      case TaskEvent.OutputGap it ->
          fromHost(
              state, it, facts.logging(facts.logs().of(it.stream()).without(it.from(), it.to())));
      case TaskEvent.OutputLost it ->
          with(state, facts.logging(facts.logs().of(it.stream()).losing(it.from(), it.to())));
      case TaskEvent.StdinWritten it -> fromHost(state, it, answered(facts));
      case TaskEvent.Signalled it -> fromHost(state, it, facts);
      case TaskEvent.Resized it -> fromHost(state, it, facts.resized(it.size()));
      case TaskEvent.KillStepped it -> fromHost(state, it, facts);
      case TaskEvent.LimitPassed it -> fromHost(state, it, facts);
      case TaskEvent.CancelRequested it ->
          with(state, facts.cancelling(new CancelRequest(it.reason(), it.by())));
      case TaskEvent.WatcherHit it ->
          with(
              state,
              facts.attending(
                  facts.watched().with(it.watcher(), facts.watched().of(it.watcher()).with(it))));
      case TaskEvent.WatcherSilenced it ->
          with(
              state,
              facts.attending(
                  facts.watched().with(it.watcher(), facts.watched().of(it.watcher()).silent())));
      case TaskEvent.BecameReady it ->
          with(state, facts.attending(facts.watched().ready(it.readyAtMs())));
      case TaskEvent.PromptSeen it ->
          with(
              state,
              facts.attending(
                  facts
                      .watched()
                      .asking(
                          new WatchProgress.Prompt(it.snippet(), it.confidence(), it.seenAtMs()))));
      // A new attempt must become ready again.
      case TaskEvent.Requeued _ -> new Queued(facts.attending(facts.watched().unready()));
      case TaskEvent.ArtifactWritten it ->
          with(state, facts.logging(facts.logs().of(it.log().stream()).ended(it.log())));
      case TaskEvent.Cancelled _ -> state;
      case TaskEvent.Ended it ->
          new Ended(facts, it.end(), state instanceof Running last ? last.process() : null);
      case TaskEvent.Unknown _ -> state;
    };
  }

  private static Live counted(Live state) {
    return with(state, state.facts().counted());
  }

  private static TaskFacts answered(TaskFacts facts) {
    var watched = facts.watched();
    return watched.prompt() == null ? facts : facts.attending(watched.answered());
  }

  private static TaskFacts grown(TaskFacts facts, LogStream stream, long total) {
    return facts.logging(facts.logs().of(stream).grownTo(total));
  }

  private static Live fromHost(Live state, TaskEvent.FromHost event, TaskFacts facts) {
    return switch (state) {
      case Held _, Queued _ -> throw new IllegalStateException("a host reports without an attempt");
      case Claimed it -> new Claimed(facts, it.attempt().upTo(event.record()));
      case Running it -> new Running(facts, it.attempt().upTo(event.record()), it.process());
    };
  }

  private static Live with(Live state, TaskFacts facts) {
    return switch (state) {
      case Held it -> new Held(facts, it.untilMs());
      case Queued _ -> new Queued(facts);
      case Claimed it -> new Claimed(facts, it.attempt());
      case Running it -> new Running(facts, it.attempt(), it.process());
    };
  }

  private static Attempt attempt(Live state) {
    return switch (state) {
      case Held _, Queued _ -> throw new IllegalStateException("started without an attempt");
      case Hosted it -> it.attempt();
    };
  }
}
