package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import dev.errand.cli.render.TaskText;
import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.TaskStatus;
import org.jspecify.annotations.Nullable;

/** The exit code and message of {@code run} and {@code wait} for a task that is over. */
final class TaskExit {

  private TaskExit() {}

  static int codeOf(TaskStatus task) {
    return switch (task.status()) {
      case "exited" -> orUnknown(task.exitCode());
      case "cancelled" -> ExitCode.CANCELLED.number();
      default -> failed(task.reason()).number();
    };
  }

  private static ExitCode failed(@Nullable String reason) {
    return switch (reason) {
      case "wall", "idle" -> ExitCode.TIMED_OUT;
      case "not_found" -> ExitCode.NOT_FOUND;
      case "not_executable" -> ExitCode.NOT_EXECUTABLE;
      case null, default -> ExitCode.NOT_KNOWN;
    };
  }

  private static int orUnknown(@Nullable Integer code) {
    return code == null ? ExitCode.NOT_KNOWN.number() : code;
  }

  /**
   * A line about an end that an exit code alone does not explain, and one about processes that
   * outlived the task's own.
   */
  static void explain(Console console, TaskStatus task) {
    var sentence = TaskText.unusualEnd(task);
    if (sentence != null) {
      console.say(name(task) + " " + SafeText.line(sentence));
    }
    explainLeftovers(console, task);
  }

  /** A line about processes that outlived the task's own, where there were any. */
  static void explainLeftovers(Console console, TaskStatus task) {
    if (!task.leftoverText().isEmpty()) {
      console.say(name(task) + ": " + SafeText.line(task.leftoverText()));
    }
  }

  private static String name(TaskStatus task) {
    return "errand: task " + ShortIds.of(task.taskId());
  }
}
