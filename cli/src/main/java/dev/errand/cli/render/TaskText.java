package dev.errand.cli.render;

import dev.errand.wire.client.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Single fields of a task as text. */
public final class TaskText {

  private TaskText() {}

  /** Its exit code, or a word for why there is none; empty while it is queued or running. */
  public static String outcome(TaskStatus task) {
    if (!task.isEnded()) {
      return task.isHeld() ? "waits for approval" : turn(task);
    }
    var signal = task.signal();
    if (task.status().equals("exited") && signal != null) {
      return "SIG" + signal;
    }
    if (task.status().equals("failed")) {
      return failure(task);
    }
    var code = task.exitCode();
    return task.status().equals("exited") && code != null ? code.toString() : "";
  }

  /** What a queued task waits for, and its position. */
  private static String turn(TaskStatus task) {
    var reason = task.queueReason();
    if (reason == null) {
      return "";
    }
    var position = task.queuePosition();
    return "waits: " + reason.replace('_', ' ') + (position == null ? "" : " #" + position);
  }

  /** One sentence about an end that the process did not cause itself; null for any other. */
  public static @Nullable String unusualEnd(TaskStatus task) {
    var message = task.message();
    var why = message == null || message.isEmpty() ? "" : ": " + message;
    return switch (task.status()) {
      case "cancelled" -> "was cancelled by " + orElse(task.by(), "someone") + why;
      case "failed" -> "failed (" + outcome(task) + by(task) + ")" + why;
      default -> null;
    };
  }

  private static String by(TaskStatus task) {
    var who = task.by();
    return who == null ? "" : " by " + who;
  }

  public static Style style(TaskStatus task) {
    return switch (task.status()) {
      case "queued" -> Style.BLUE;
      case "running" -> Style.YELLOW;
      case "exited" -> Integer.valueOf(0).equals(task.exitCode()) ? Style.GREEN : Style.RED;
      case "failed" -> Style.RED;
      default -> Style.DIM;
    };
  }

  static String age(TaskStatus task, Instant now) {
    var created = task.createdAt();
    return created == null ? "" : Times.span(Duration.between(created, now));
  }

  /** How long it ran or has been running; of one that has not started, how long it waits. */
  public static String lived(TaskStatus task, Instant now) {
    return task.startedAt() == null ? age(task, now) : runTime(task, now);
  }

  /** How long it ran, or has been running. */
  static String runTime(TaskStatus task, Instant now) {
    var started = task.startedAt();
    var ended = task.endedAt();
    if (started == null) {
      return "";
    }
    return Times.span(Duration.between(started, ended == null ? now : ended));
  }

  /** The error in a word; for a task that never started, what prevented it. */
  private static String failure(TaskStatus task) {
    var error = task.error();
    return error == null || error.startsWith("not_started")
        ? orElse(task.reason(), "failed")
        : error;
  }

  private static String orElse(@Nullable String text, String whenAbsent) {
    return text == null ? whenAbsent : text;
  }
}
