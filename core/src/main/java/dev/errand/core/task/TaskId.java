package dev.errand.core.task;

import java.util.UUID;

/** The permanent id of a task: a UUID in lower case (version 7 if created by Errand). */
public record TaskId(String value) implements Comparable<TaskId> {
  private static final int LENGTH = 36;

  /** The time and the counter of an id of Errand, which no other task of a home has. */
  private static final int BRIEF_CHARS = 18;

  public TaskId {
    if (value.length() != LENGTH || !UUID.fromString(value).toString().equals(value)) {
      throw new IllegalArgumentException("a task id is a UUID in lower case, not: " + value);
    }
  }

  /** The beginning of the id, for texts. */
  public String brief() {
    return value.substring(0, BRIEF_CHARS);
  }

  /** Ids sort by the time of their making, so this is oldest first. */
  @Override
  public int compareTo(TaskId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
