package dev.errand.core.task;

import dev.errand.core.task.TaskState.Live;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides commands of one task, one after the other, at one moment. Output of a task with many
 * frames is held back for a {@link MergeInterval} and then told by one frame of each stream. All
 * other events of the task come after the output that was stored before them.
 */
public final class PacedDecider {
  private final List<TaskEvent> events = new ArrayList<>();
  private final List<HostFact.OfLog> waiting;
  private final long nowMs;
  private TaskState state;
  private long firstRecord;
  private long lastRecord;
  private boolean merged;
  private long shownAtMs;

  public PacedDecider(TaskState state, PendingOutput pending, long nowMs) {
    this.state = state;
    this.nowMs = nowMs;
    this.waiting = new ArrayList<>(pending.facts());
    this.firstRecord = pending.firstRecord();
    this.lastRecord = waiting.stream().mapToLong(HostFact::n).max().orElse(0);
    this.merged = !waiting.isEmpty();
    this.shownAtMs = pending.shownAtMs();
  }

  /** What the command itself leads to; nothing where all of it is held back. */
  public Decision decide(TaskCommand command) {
    var before = events.size();
    var decision =
        command instanceof TaskCommand.Report(var facts) ? report(facts) : other(command);
    return switch (decision) {
      case Decision.Refused it -> it;
      case Decision.Accepted _ ->
          new Decision.Accepted(List.copyOf(events.subList(before, events.size())));
    };
  }

  private Decision other(TaskCommand command) {
    var decision = TaskDecider.decide(state, command);
    if (decision instanceof Decision.Accepted(var own) && !own.isEmpty() && !waiting.isEmpty()) {
      show();
      decision = TaskDecider.decide(state, command);
    }
    if (decision instanceof Decision.Accepted(var own)) {
      take(own);
    }
    return decision;
  }

  private Decision report(List<HostFact> facts) {
    if (state instanceof TaskState.Absent) {
      return TaskDecider.noSuchTask();
    }
    for (var fact : facts) {
      if (state instanceof Live live && fact.n() > lastRecord && TaskDecider.isNews(live, fact)) {
        report(live.facts(), fact);
      }
    }
    return Decision.accept();
  }

  private void report(TaskFacts facts, HostFact fact) {
    switch (fact) {
      case HostFact.Output it -> {
        if (it.offset() + it.bytes() > facts.logs().of(it.stream()).bytesTotal()) {
          hold(facts, it);
        }
      }
      case HostFact.Gap it -> hold(facts, it);
      case HostFact.Started _,
          HostFact.NotStarted _,
          HostFact.Forgotten _,
          HostFact.Lost _,
          HostFact.Stdin _,
          HostFact.Signalled _,
          HostFact.Resized _,
          HostFact.KillStep _,
          HostFact.LimitPassed _,
          HostFact.Exited _ -> {
        show();
        take(fact);
      }
    }
  }

  private void hold(TaskFacts facts, HostFact.OfLog fact) {
    firstRecord = waiting.isEmpty() ? fact.n() : firstRecord;
    lastRecord = fact.n();
    var frames = facts.frames() + waiting.size();
    if (MergeInterval.of(frames, facts.spec().work().framesMax()).isZero() || !tryMerge(fact)) {
      waiting.add(fact);
    }
  }

  /** Puts it together with what waits already; false where that cannot be. */
  private boolean tryMerge(HostFact.OfLog fact) {
    for (var i = waiting.size() - 1; i >= 0; i--) {
      var joined = waiting.get(i).joined(fact);
      if (joined != null) {
        waiting.set(i, joined);
        merged = true;
        return true;
      }
    }
    return false;
  }

  /** To be called when all commands are decided: shows what has waited for long enough. */
  public PacedDecider finish() {
    if (state instanceof Live live && pending().left(live.facts(), nowMs).isZero()) {
      show();
    }
    return this;
  }

  private void show() {
    if (waiting.isEmpty()) {
      return;
    }
    var shown = merged ? numbered() : List.<HostFact>copyOf(waiting);
    waiting.clear();
    merged = false;
    shownAtMs = nowMs;
    shown.forEach(this::take);
  }

  /**
   * A merged fact takes the position of its first part and the number of its last. Each fact covers
   * at least one record, so there are enough numbers to keep all of them in order.
   */
  private List<HostFact> numbered() {
    var facts = new ArrayList<HostFact>(waiting.size());
    var n = lastRecord - waiting.size();
    for (var fact : waiting) {
      n++;
      facts.add(fact.numbered(n));
    }
    return facts;
  }

  private void take(HostFact fact) {
    if (TaskDecider.decide(state, new TaskCommand.Report(List.of(fact)))
        instanceof Decision.Accepted(var own)) {
      take(own);
    }
  }

  private void take(List<TaskEvent> more) {
    for (var event : more) {
      events.add(event);
      state = TaskFold.evolve(state, event, 0);
    }
  }

  public List<TaskEvent> events() {
    return List.copyOf(events);
  }

  /** What is held back until later. */
  public PendingOutput pending() {
    return state instanceof Live
        ? new PendingOutput(waiting, waiting.isEmpty() ? 0 : firstRecord, shownAtMs)
        : PendingOutput.NONE;
  }
}
