package dev.errand.daemon.schedule;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a dependency of other tasks ended, read from the journal. */
final class DependencyEnd {
  private DependencyEnd() {}

  /** How it ended: {@code badly} is the reason of a failure, null for success. */
  record Ending(@Nullable String badly) {}

  /** Empty while the task is live. */
  static Optional<Ending> of(Engine engine, TaskId taskId) {
    var row = engine.row(taskId);
    if (row.isEmpty()) {
      return Optional.of(new Ending(follow(taskId) + " was removed meanwhile"));
    }
    return row.filter(it -> !it.active()).map(DependencyEnd::ending);
  }

  private static Ending ending(TaskRow row) {
    if (row.isSuccess()) {
      return new Ending(null);
    }
    return new Ending(
        follow(row.id())
            + (row.status() == StatusWord.EXITED
                ? " ended with exit code " + row.outcome().exitCode()
                : " ended as " + row.status().word()));
  }

  private static String follow(TaskId taskId) {
    return "it was to start after task " + taskId + ", which";
  }
}
