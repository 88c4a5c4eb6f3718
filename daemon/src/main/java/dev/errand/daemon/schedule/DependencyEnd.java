package dev.errand.daemon.schedule;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How tasks ended that others are to follow, by what is recorded of them. */
final class DependencyEnd {
  private DependencyEnd() {}

  /** How it ended: {@code badly} says what was wrong, and is null where nothing was. */
  record Ending(@Nullable String badly) {}

  /** Empty while the task is not over. */
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
