package dev.errand.daemon.tool.text;

import dev.errand.core.task.TaskView;
import dev.errand.daemon.verb.ShownTask;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a task stands, in the words of the background tools. */
public enum BackgroundStatus {
  RUNNING("⏳"),
  COMPLETED("✓"),
  ERROR("✗"),
  CANCELLED("⊘"),
  RESUMED("↻");

  private final String icon;

  BackgroundStatus(String icon) {
    this.icon = icon;
  }

  public static BackgroundStatus of(TaskView view) {
    return switch (view.status()) {
      case QUEUED, RUNNING -> RUNNING;
      case EXITED, FAILED -> over(view.isSuccess());
      case CANCELLED -> CANCELLED;
    };
  }

  /** By what is at hand of it: how it stands need not be looked up. */
  public static BackgroundStatus of(ShownTask task) {
    return switch (task.status()) {
      case QUEUED, RUNNING -> RUNNING;
      case EXITED, FAILED -> over(task.isSuccess());
      case CANCELLED -> CANCELLED;
    };
  }

  private static BackgroundStatus over(boolean well) {
    return well ? COMPLETED : ERROR;
  }

  public static BackgroundStatus ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(BackgroundStatus::word).toList();
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String icon() {
    return icon;
  }

  /** Whether a task that stands so is not over. */
  public boolean isLive() {
    return this == RUNNING || this == RESUMED;
  }
}
