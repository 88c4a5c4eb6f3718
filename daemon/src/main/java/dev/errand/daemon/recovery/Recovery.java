package dev.errand.daemon.recovery;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/** Brings the tasks that are not over back into memory. */
public final class Recovery {

  private Recovery() {}

  /** Folds every live task once; the engine keeps them from then on. */
  public static int foldLive(Journal journal, Engine engine) {
    var count = 0;
    @Nullable TaskId before = null;
    while (true) {
      var rows = journal.rows(TaskQuery.live(before, TaskQuery.LIMIT_MAX));
      for (var row : rows) {
        engine.snapshot(row.id());
        before = row.id();
        count++;
      }
      if (rows.size() < TaskQuery.LIMIT_MAX) {
        return count;
      }
    }
  }
}
