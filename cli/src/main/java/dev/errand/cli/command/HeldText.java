package dev.errand.cli.command;

import dev.errand.core.task.TaskId;

/** What is said of a task that does not run before a person has answered. */
final class HeldText {

  private HeldText() {}

  static String of(TaskId taskId) {
    return "errand: the task waits for approval: errand approve %s | errand deny %s"
        .formatted(taskId, taskId);
  }
}
