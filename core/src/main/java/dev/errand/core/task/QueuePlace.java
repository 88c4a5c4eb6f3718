package dev.errand.core.task;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a queued task stands and what it waits for. It is looked up, not recorded: it changes
 * whenever another task moves.
 *
 * @param position from 1, among those that wait for the same; 0 where there is no such line
 * @param behind the task that has to move first, where it is a certain one
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
    /** A task that it is to follow is not over. */
    AFTER,
    DELAY;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
