package dev.errand.core.task;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a task stands, in one word: what lists are filtered by, and the status of contract S0. */
public enum StatusWord {
  QUEUED,
  RUNNING,
  EXITED,
  FAILED,
  CANCELLED;

  private final String word = name().toLowerCase(Locale.ROOT);

  public static StatusWord of(TaskState.Present state) {
    return switch (state) {
      case TaskState.Held _, TaskState.Queued _, TaskState.Claimed _ -> QUEUED;
      case TaskState.Running _ -> RUNNING;
      case TaskState.Ended it -> of(it.end());
    };
  }

  public static StatusWord of(End end) {
    return switch (end) {
      case End.Exited _ -> EXITED;
      case End.NotStarted _,
          End.LimitPassed _,
          End.Lost _,
          End.Corrupt _,
          End.Denied _,
          End.ApprovalExpired _ ->
          FAILED;
      case End.Cancelled _ -> CANCELLED;
    };
  }

  public String word() {
    return word;
  }

  /** Empty for a word that this program does not know. */
  public static Optional<StatusWord> ofWord(String word) {
    return Arrays.stream(values()).filter(it -> it.word().equals(word)).findFirst();
  }
}
