package dev.errand.core.task;

import java.util.Locale;
import java.util.Optional;

/** One output stream of a task; its bytes are a log. */
public enum LogStream {
  STDOUT,
  STDERR,
  PTY;

  /** The word on every wire and in every file name. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of this log of a task while it grows; it stays valid as an artifact too. */
  public String logId(TaskId taskId) {
    return taskId.value() + "." + word();
  }

  public static Optional<LogStream> ofWord(String word) {
    for (var stream : values()) {
      if (stream.word().equals(word)) {
        return Optional.of(stream);
      }
    }
    return Optional.empty();
  }
}
