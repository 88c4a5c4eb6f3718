package dev.errand.daemon.tool.task;

import dev.errand.daemon.verb.ShownTask;
import java.util.List;
import java.util.Optional;

/**
 * The tasks of a batch that one answer tells of: the newest, so that no batch makes an answer that
 * nobody can read. Counts are of all, and the others can be asked for by their ids.
 *
 * @param left how many are not told of
 */
public record Shown(List<ShownTask> tasks, int left) {
  public static final int TASKS_MAX = 100;

  /** Newest first. */
  public static Shown of(List<ShownTask> batch) {
    var count = Math.min(TASKS_MAX, batch.size());
    return new Shown(batch.subList(0, count), batch.size() - count);
  }

  public boolean more() {
    return left > 0;
  }

  /** In words, where there are more. */
  public Optional<String> note() {
    return more()
        ? Optional.of(left + " older ones are not shown; ask for them by their ids.")
        : Optional.empty();
  }
}
