package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * One session: its numbers of live and ended tasks, the newest task, when one of its newest
 * thousand tasks last ended, and when the session itself was ended. A time of 0 is "not yet".
 */
public record SessionRow(
    SessionId id, long tasks, @Nullable TaskId newest, long lastEndMs, long endedAtMs) {

  /** The number of newest tasks among which the last end is searched. */
  public static final int LAST_END_AMONG = 1_000;
}
