package dev.errand.core.task;

import java.util.Locale;

/** How the tasks of a batch stand together, in one word. */
public enum BatchStatus {
  /** One at least is not over. */
  RUNNING,

  /** All went well. */
  COMPLETED,

  /** All are over, and one at least failed or exited badly. */
  ERROR,

  /** All are over, none badly, and one at least was cancelled. */
  CANCELLED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
