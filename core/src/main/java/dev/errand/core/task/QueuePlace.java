package dev.errand.core.task;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The position of a queued task and what it waits for. It is computed, not recorded: it changes
 * whenever another task changes.
 *
 * @param position from 1, among the tasks that wait for the same thing; 0 if there is no such queue
 * @param behind the task that must change first, if it is a single one
 * @param untilMs the time that a delay ends at; 0 for other reasons
 */
public record QueuePlace(int position, Reason reason, @Nullable TaskId behind, long untilMs) {

  /** What keeps a queued task waiting. */
  public enum Reason {
    /** Another of its lane runs or is before it. */
    LANE,
    SESSION_QUOTA,
    GLOBAL_QUOTA,
    PLACE,
    /** A task that it depends on is not over. */
    AFTER,
    DELAY;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
