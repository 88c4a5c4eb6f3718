package dev.errand.daemon.tool.text;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskView;
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

  /** By the row alone: what is live need not be looked at more closely. */
  public static BackgroundStatus of(TaskRow row) {
    return switch (row.status()) {
      case QUEUED, RUNNING -> RUNNING;
      case EXITED, FAILED -> over(row.isSuccess());
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
