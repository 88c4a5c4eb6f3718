package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.core.task.TaskId;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Prints, when Ctrl-C interrupts this program while it follows a task, that the task goes on and
 * how to follow it again. The JVM exits with 130; nothing is cancelled.
 */
final class DetachMessage implements AutoCloseable {
  private final AtomicReference<@Nullable TaskId> followed = new AtomicReference<>();
  private final Thread hook;

  private DetachMessage(Console console) {
    this.hook =
        new Thread(
            () -> {
              var taskId = followed.getAndSet(null);
              if (taskId != null) {
                console.say(text(taskId));
              }
            },
            "detach");
  }

  static DetachMessage armed(Console console, TaskId taskId) {
    var detach = new DetachMessage(console);
    detach.followed.set(taskId);
    Runtime.getRuntime().addShutdownHook(detach.hook);
    return detach;
  }

  static String text(TaskId taskId) {
    return "\ndetached; the task goes on: errand logs -f %s | errand cancel %s"
        .formatted(taskId, taskId);
  }

  /** The hook stays registered and prints nothing from now on. */
  @Override
  public void close() {
    followed.set(null);
  }
}
