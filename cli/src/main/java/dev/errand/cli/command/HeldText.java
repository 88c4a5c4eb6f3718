package dev.errand.cli.command;

import dev.errand.core.task.TaskId;

/** The message about a task that waits for approval. */
final class HeldText {

  private HeldText() {}

  static String of(TaskId taskId) {
    return "errand: the task waits for approval: errand approve %s | errand deny %s"
        .formatted(taskId, taskId);
  }
}
