package dev.errand.core.task;

import dev.errand.core.task.TaskState.Known;
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

  static List<TaskEvent> exited(Known known, Exit exit, long atMs) {
    var killedFor = exit.killedFor();
    if (killedFor == null) {
      return List.of(new TaskEvent.Ended(new End.Exited(exit, atMs)));
    }
    if (killedFor.equals("cancel")) {
      return cancelled(known, exit, atMs);
    }
    return List.of(new TaskEvent.Ended(new End.LimitPassed(killedFor, exit, atMs)));
  }

  static List<TaskEvent> cancelled(Known known, @Nullable Exit exit, long atMs) {
    var asked = known.cancel();
    var reason = asked == null ? "cancel" : asked.reason();
    var by = asked == null ? "host" : asked.by();
    var wallTimeMs = known.everStarted() ? Math.max(0, atMs - known.startedAtMs()) : 0;
    return List.of(
        new TaskEvent.Cancelled(reason, by, wallTimeMs),
        new TaskEvent.Ended(new End.Cancelled(reason, by, exit, atMs)));
  }
}
