package dev.errand.core.task;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is to be noticed of a task, and what its session is told.
 *
 * @param readyWhen when it counts as ready; where there is none it never does
 * @param fullNotice whether the notice of its end has all that it wrote, up to a bound, and not
 *     just the last of it
 */
public record WatchSpec(
    Notify tells, List<Watcher> watchers, @Nullable WatchCondition readyWhen, boolean fullNotice) {

  /** Nothing is watched, and only the end is told. */
  public static final WatchSpec NONE = new WatchSpec(Notify.DONE_ONLY, List.of(), null);

  public WatchSpec {
    watchers = List.copyOf(watchers);
  }

  /** With a short notice of its end. */
  public WatchSpec(Notify tells, List<Watcher> watchers, @Nullable WatchCondition readyWhen) {
    this(tells, watchers, readyWhen, false);
  }

  /** The same, with all that the task wrote in the notice of its end. */
  public WatchSpec tellingAll() {
    return new WatchSpec(tells, watchers, readyWhen, true);
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
