package dev.errand.cli.render;

import dev.errand.core.task.TaskId;
import java.util.Collection;

/**
 * How much of an id is shown. Ids begin with their creation time, so the first characters are the
 * same for all tasks of a day; 13 of them cover a millisecond, which is mostly unique.
 */
public final class ShortIds {
  private static final int LENGTH_MIN = 13;
  private static final int LENGTH_MAX = 36;

  private ShortIds() {}

  public static String of(TaskId id) {
    return id.value().substring(0, LENGTH_MIN);
  }

  /** The length at which all of these differ. */
  static int lengthFor(Collection<TaskId> ids) {
    for (var length = LENGTH_MIN; length < LENGTH_MAX; length++) {
      var shown = length;
      if (ids.stream().map(it -> it.value().substring(0, shown)).distinct().count() == ids.size()) {
        return length;
      }
    }
    return LENGTH_MAX;
  }
}
