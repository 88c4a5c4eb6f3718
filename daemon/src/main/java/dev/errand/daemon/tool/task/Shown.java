package dev.errand.daemon.tool.task;

import dev.errand.daemon.verb.ShownTask;
import java.util.List;

/**
 * The tasks of a batch that one answer tells of: the newest, so that no batch makes an answer that
 * nobody can read. Counts are of all, and the others can be asked for by their ids.
 */
public final class Shown {
  public static final int TASKS_MAX = 100;

  private Shown() {}

  /** Newest first. */
  public static List<ShownTask> of(List<ShownTask> batch) {
    return batch.subList(0, Math.min(TASKS_MAX, batch.size()));
  }
}
