package dev.errand.core.task;

import dev.errand.core.task.TaskState.Claimed;
import dev.errand.core.task.TaskState.Held;
import dev.errand.core.task.TaskState.Hosted;
import dev.errand.core.task.TaskState.Live;
import dev.errand.core.task.TaskState.Queued;
import dev.errand.core.task.TaskState.Running;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the facts of a host into events.
 *
 * <p>An output event always begins where the log ended before, so the events cover the log without
 * gaps: a range without a fact of its own is covered by the next event.
 */
final class FactDecider {

  private FactDecider() {}

  static List<TaskEvent> eventsOf(Live state, HostFact fact) {
    var facts = state.facts();
    return switch (fact) {
      case HostFact.Started it -> started(state, it);
      case HostFact.NotStarted it -> notStarted(facts, it);
      case HostFact.Forgotten it -> Ends.cancelled(facts, null, it.atMs());
      case HostFact.Output it -> output(facts, it);
      case HostFact.Gap it -> gap(facts, it);
      case HostFact.Lost it -> lost(facts, it);
      case HostFact.Stdin it -> List.of(new TaskEvent.StdinWritten(it.n(), it.write()));
      case HostFact.Signalled it ->
          List.of(new TaskEvent.Signalled(it.n(), it.opId(), it.signal(), it.by(), it.outside()));
      case HostFact.Resized it -> resized(facts, it);
      case HostFact.KillStep it ->
          List.of(new TaskEvent.KillStepped(it.n(), it.step(), it.cause(), it.pids()));
      case HostFact.LimitPassed it ->
          List.of(new TaskEvent.LimitPassed(it.n(), it.limit(), it.value()));
      case HostFact.Exited it -> exited(facts, it);
    };
  }

  private static List<TaskEvent> started(Live state, HostFact.Started fact) {
    return switch (state) {
      case Claimed _ ->
          List.of(new TaskEvent.Started(fact.n(), fact.attempt(), fact.process(), fact.atMs()));
      case Held _, Queued _, Running _ -> List.of();
    };
  }

  private static List<TaskEvent> notStarted(TaskFacts facts, HostFact.NotStarted fact) {
    if (facts.cancel() != null) {
      return Ends.cancelled(facts, null, fact.atMs());
    }
    var end = new End.NotStarted(fact.reason(), fact.message(), fact.atMs());
    return List.of(new TaskEvent.Ended(end));
  }

  private static List<TaskEvent> output(TaskFacts facts, HostFact.Output fact) {
    var from = facts.logs().of(fact.stream()).bytesTotal();
    var to = fact.offset() + fact.bytes();
    if (to <= from) {
      return List.of();
    }
    var framesMax = facts.spec().work().framesMax();
    return facts.merged() || MergeInterval.of(facts.frames(), framesMax).isZero()
        ? List.of(covering(facts, fact, from))
        : List.of(
            new TaskEvent.OutputMerged(fact.n(), facts.frames()), covering(facts, fact, from));
  }

  private static TaskEvent covering(TaskFacts facts, HostFact.Output fact, long from) {
    var log = facts.logs().of(fact.stream());
    var bytes = fact.offset() + fact.bytes() - from;
    var stored = log.bytesStored() + bytes;
    var isWhole = from == fact.offset();
    return new TaskEvent.Output(
            fact.n(),
            fact.stream(),
            from,
            bytes,
            stored,
            isWhole ? fact.crc32c() : null,
            isWhole ? fact.preview() : Preview.NONE,
            fact.atMs())
        .marked();
  }

  /** Output written at the old size comes first. */
  private static List<TaskEvent> resized(TaskFacts facts, HostFact.Resized fact) {
    if (!facts.logs().has(LogStream.PTY)) {
      return List.of();
    }
    var events = new ArrayList<>(upTo(facts, fact.n(), LogStream.PTY, fact.offset()));
    events.add(new TaskEvent.Resized(fact.n(), fact.opId(), fact.size(), fact.by()));
    return events;
  }

  /** Bytes that no event covers yet come first, even if they fall into the gap. */
  private static List<TaskEvent> gap(TaskFacts facts, HostFact.Gap fact) {
    var events = new ArrayList<>(upTo(facts, fact.n(), fact.stream(), fact.to()));
    events.add(new TaskEvent.OutputGap(fact.n(), fact.stream(), fact.from(), fact.to()));
    return events;
  }

  /** The event has no number: a repeated fact is recognised by its range. */
  private static List<TaskEvent> lost(TaskFacts facts, HostFact.Lost fact) {
    if (facts.logs().of(fact.stream()).hasLost(fact.from(), fact.to())) {
      return List.of();
    }
    var events = new ArrayList<>(upTo(facts, fact.n(), fact.stream(), fact.to()));
    events.add(new TaskEvent.OutputLost(fact.stream(), fact.from(), fact.to()));
    return events;
  }

  private static List<TaskEvent> exited(TaskFacts facts, HostFact.Exited fact) {
    var events = unseen(facts, fact.n(), fact.logs());
    events.addAll(Ends.artifacts(fact.logs()));
    events.addAll(Ends.exited(facts, fact.exit(), fact.atMs()));
    return events;
  }

  /** The parts of the logs that no event covers yet. */
  private static List<TaskEvent> unseen(TaskFacts facts, long record, List<LogEnd> logs) {
    var events = new ArrayList<TaskEvent>();
    for (var log : logs) {
      events.addAll(upTo(facts, record, log.stream(), log.bytesTotal()));
    }
    return events;
  }

  private static List<TaskEvent> upTo(TaskFacts facts, long record, LogStream stream, long total) {
    var log = facts.logs().of(stream);
    var bytes = total - log.bytesTotal();
    if (bytes <= 0) {
      return List.of();
    }
    var stored = log.bytesStored() + bytes;
    return List.of(
        new TaskEvent.Output(record, stream, log.bytesTotal(), bytes, stored, null, Preview.NONE)
            .marked());
  }

  /** The rest of the logs of a dead host; every byte must be covered by an event. */
  static List<TaskEvent> left(Live state, List<LogEnd> logs) {
    return unseen(state.facts(), lastRecord(state), logs);
  }

  /**
   * Output that its host stored but died before recording. It also covers the bytes of facts that
   * were skipped before it.
   */
  static List<TaskEvent> indexed(Live state, TaskCommand.Index.Tail tail) {
    var log = state.facts().logs().of(tail.stream());
    if (tail.offset() != log.bytesTotal()) {
      return upTo(state.facts(), lastRecord(state), tail.stream(), tail.offset() + tail.bytes());
    }
    if (tail.bytes() <= 0) {
      return List.of();
    }
    var stored = log.bytesStored() + tail.bytes();
    return List.of(
        new TaskEvent.Output(
                lastRecord(state),
                tail.stream(),
                tail.offset(),
                tail.bytes(),
                stored,
                null,
                tail.preview())
            .marked());
  }

  private static long lastRecord(Live state) {
    return switch (state) {
      case Held _, Queued _ -> 0;
      case Hosted it -> it.attempt().lastRecord();
    };
  }
}
