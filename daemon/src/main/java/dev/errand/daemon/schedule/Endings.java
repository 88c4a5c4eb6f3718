package dev.errand.daemon.schedule;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import dev.errand.wire.json.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How tasks ended that others are to follow, by what is recorded of them. */
final class Endings {
  private static final String EXITED = "exited";

  private Endings() {}

  /** How it ended: {@code badly} says what was wrong, and is null where nothing was. */
  record Ending(@Nullable String badly) {}

  /** Empty while the task is not over. */
  static Optional<Ending> of(Engine engine, TaskId taskId) {
    var row = engine.row(taskId);
    if (row.isEmpty()) {
      return Optional.of(new Ending(follow(taskId) + " was removed meanwhile"));
    }
    return row.filter(it -> !it.active()).map(Endings::ending);
  }

  private static Ending ending(TaskRow row) {
    if (!row.status().equals(EXITED)) {
      return new Ending(follow(row.id()) + " ended as " + row.status());
    }
    var code = Json.read(row.statusText()).path("exit_code").asInt(-1);
    return new Ending(code == 0 ? null : follow(row.id()) + " ended with exit code " + code);
  }

  private static String follow(TaskId taskId) {
    return "it was to start after task " + taskId + ", which";
  }
}
