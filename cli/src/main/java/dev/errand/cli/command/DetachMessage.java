package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.core.task.TaskId;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells, when this program is interrupted while it follows a task, that the task goes on and how to
 * come back to it. The JVM exits with 130 by itself after Ctrl-C; nothing is cancelled.
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

  /** The task needs no following any more; the hook may stay, it says nothing now. */
  @Override
  public void close() {
    followed.set(null);
  }
}
