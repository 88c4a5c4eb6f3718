package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * What the journal knows of one session: how many tasks it has, live and ended, the newest of them,
 * when one of its newest thousand last ended, and when the session itself was ended. A time of 0 is
 * "not yet".
 */
public record SessionRow(
    SessionId id, long tasks, @Nullable TaskId newest, long lastEndMs, long endedAtMs) {

  /** Of how many tasks, the newest, the last end is looked for. */
  public static final int LAST_END_AMONG = 1_000;
}
