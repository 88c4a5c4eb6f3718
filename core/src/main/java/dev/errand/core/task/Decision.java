package dev.errand.core.task;

import dev.errand.core.error.ErrorCode;
import java.util.List;

/** The answer to a command: the events it causes, or why it is refused. */
public sealed interface Decision {

  /** These events happen, in this order; the list may be empty. */
  record Accepted(List<TaskEvent> events) implements Decision {
    public Accepted {
      events = List.copyOf(events);
    }
  }

  record Refused(ErrorCode code, String detail) implements Decision {}

  static Decision accept(TaskEvent... events) {
    return new Accepted(List.of(events));
  }

  static Decision refuse(ErrorCode code, String detail) {
    return new Refused(code, detail);
  }
}
