package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tasks of one host whose output was read and waits for its frame, and where its records are:
 * they must stay on disk until the frame is in the journal. For one thread at a time.
 */
final class UncommittedOutput {
  private final Engine engine;
  private final InstantSource clock;
  private final Map<TaskId, Place> places = new HashMap<>();

  /** Where the first waiting record is. */
  private record Place(long firstRecord, long segment) {}

  UncommittedOutput(Engine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /** Records of these tasks were read in this segment or in a later one, and reported. */
  void note(Collection<TaskId> tasks, long segment) {
    for (var taskId : tasks) {
      var first = engine.liveSnapshot(taskId).map(it -> it.pending().firstRecord()).orElse(0L);
      if (first == 0) {
        places.remove(taskId);
      } else {
        places.compute(
            taskId,
            (_, old) ->
                old != null && old.firstRecord() == first ? old : new Place(first, segment));
      }
    }
  }

  /** Reports for the frames that are due. */
  List<Engine.Submission> due() {
    var due = new ArrayList<Engine.Submission>();
    for (var taskId : places.keySet()) {
      if (left(taskId).isZero()) {
        due.add(new Engine.Submission(taskId, new TaskCommand.Report(List.of())));
      }
    }
    return due;
  }

  /** The time until the next are due, at most the given one. */
  Duration nextDue(Duration atMost) {
    var next = atMost;
    for (var taskId : places.keySet()) {
      var left = left(taskId);
      next = left.compareTo(next) < 0 ? left : next;
    }
    return next;
  }

  private Duration left(TaskId taskId) {
    return engine.liveSnapshot(taskId).map(this::left).orElse(Duration.ZERO);
  }

  private Duration left(Snapshot snapshot) {
    return snapshot.state() instanceof TaskState.Live live
        ? snapshot.pending().left(live.facts(), clock.millis())
        : Duration.ZERO;
  }

  /** The first segment that is still needed; at most the given one. */
  long firstSegment(long atMost) {
    return places.values().stream().mapToLong(Place::segment).reduce(atMost, Math::min);
  }
}
