package dev.errand.cli.render;

import dev.errand.cli.render.Table.Cell;
import dev.errand.cli.terminal.SafeText;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.TaskStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks, one to a line. */
public final class TaskTable {

  private TaskTable() {}

  public static Table of(List<TaskStatus> tasks, Instant now) {
    var ids = tasks.stream().map(TaskStatus::taskId).toList();
    var idLength = ShortIds.lengthFor(ids);
    var table = new Table("ID", "LABEL", "STATUS", "EXIT", "AGE", "TIME", "COMMAND");
    tasks.forEach(it -> table.row(row(it, shown(it.taskId(), idLength), now)));
    return table;
  }

  private static List<Cell> row(TaskStatus task, String id, Instant now) {
    var style = TaskText.style(task);
    return List.of(
        Cell.of(id),
        Cell.of(safe(task.label())),
        new Cell(safe(task.status()), style),
        new Cell(safe(TaskText.outcome(task)), style),
        Cell.of(TaskText.age(task, now)),
        Cell.of(TaskText.runTime(task, now)),
        Cell.of(safe(task.command())));
  }

  private static String shown(TaskId id, int length) {
    return id.value().substring(0, length);
  }

  private static String safe(@Nullable String text) {
    return text == null ? "" : SafeText.line(text);
  }
}
