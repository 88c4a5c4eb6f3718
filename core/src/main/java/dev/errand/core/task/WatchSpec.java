package dev.errand.core.task;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is watched on a task, and which notices its session gets.
 *
 * @param readyWhen when it is ready; without a condition it never is
 * @param fullNotice whether the notice of its end has all its output, up to a limit, and not only
 *     the end of it
 */
public record WatchSpec(
    Notify tells, List<Watcher> watchers, @Nullable WatchCondition readyWhen, boolean fullNotice) {

  /** Nothing is watched, and only the end makes a notice. */
  public static final WatchSpec NONE = new WatchSpec(Notify.DONE_ONLY, List.of(), null);

  public WatchSpec {
    watchers = List.copyOf(watchers);
  }

  /** With a short notice of its end. */
  public WatchSpec(Notify tells, List<Watcher> watchers, @Nullable WatchCondition readyWhen) {
    this(tells, watchers, readyWhen, false);
  }

  /** The same, with all output in the notice of its end. */
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
