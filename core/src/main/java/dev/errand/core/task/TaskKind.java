package dev.errand.core.task;

import java.util.Locale;
import java.util.Optional;

/** What sort of work a task is; lists filter by it. */
public enum TaskKind {

  /** A program, with or without a shell; see {@link Command}. */
  COMMAND;

  /** The word on every wire and in the row of a list. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<TaskKind> ofWord(String word) {
    for (var kind : values()) {
      if (kind.word().equals(word)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
