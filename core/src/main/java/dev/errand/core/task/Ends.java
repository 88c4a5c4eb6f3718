package dev.errand.core.task;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events with which a task comes to its end; the last of them is always the terminal one. */
final class Ends {

  private Ends() {}

  /** Each log that has bytes becomes an artifact before the task is over. */
  static List<TaskEvent> artifacts(List<LogEnd> logs) {
    var events = new ArrayList<TaskEvent>();
    for (var log : logs) {
      if (log.sha256() != null) {
        events.add(new TaskEvent.ArtifactWritten(log));
      }
    }
    return events;
  }

  static List<TaskEvent> exited(TaskFacts facts, Exit exit, long atMs) {
    var killedFor = exit.killedFor();
    if (killedFor == null) {
      return List.of(new TaskEvent.Ended(new End.Exited(exit, atMs)));
    }
    if (killedFor.equals("cancel")) {
      return cancelled(facts, exit, atMs);
    }
    return List.of(new TaskEvent.Ended(new End.LimitPassed(killedFor, exit, atMs)));
  }

  static List<TaskEvent> cancelled(TaskFacts facts, @Nullable Exit exit, long atMs) {
    var asked = facts.cancel();
    var reason = asked == null ? "cancel" : asked.reason();
    var by = asked == null ? "host" : asked.by();
    var wallTimeMs = facts.everStarted() ? Math.max(0, atMs - facts.startedAtMs()) : 0;
    return List.of(
        new TaskEvent.Cancelled(reason, by, wallTimeMs),
        new TaskEvent.Ended(new End.Cancelled(reason, by, exit, atMs)));
  }
}
