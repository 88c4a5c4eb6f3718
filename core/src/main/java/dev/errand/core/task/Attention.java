package dev.errand.core.task;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is to be noticed of a task, and what its session is told.
 *
 * @param readyWhen when it counts as ready; where there is none it never does
 */
public record Attention(Notify tells, List<Watcher> watchers, @Nullable WatchCondition readyWhen) {

  /** Nothing is watched, and only the end is told. */
  public static final Attention NONE = new Attention(Notify.DONE_ONLY, List.of(), null);

  public Attention {
    watchers = List.copyOf(watchers);
  }

  /** The same, telling this much. */
  public Attention telling(Notify other) {
    return new Attention(other, watchers, readyWhen);
  }

  /** What makes a notice in the session's inbox. */
  public enum Notify {
    /** Its end, its watchers, and that it waits for a person. */
    DONE_ONLY,

    /** Each change of its state too. */
    STATE_CHANGES,

    SILENT;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
