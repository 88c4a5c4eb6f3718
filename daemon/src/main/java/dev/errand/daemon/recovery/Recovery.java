package dev.errand.daemon.recovery;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads the live tasks into memory. */
public final class Recovery {
  private final Journal journal;
  private final Engine engine;

  public Recovery(Journal journal, Engine engine) {
    this.journal = journal;
    this.engine = engine;
  }

  /**
   * The tasks that were found.
   *
   * @param unreadable those whose state is lost to damage
   */
  public record Found(int live, List<Unreadable> unreadable) {}

  /** A task whose frames are damaged from that one on. */
  public record Unreadable(TaskId taskId, long fromSeq) {}

  /**
   * Folds every live task once; the engine keeps them from then on. A task whose view row was lost
   * to damage gets a new one first.
   */
  public Found foldLive(Collection<TaskId> tasksWithoutRow) {
    var withoutRow = Set.copyOf(tasksWithoutRow);
    withoutRow.forEach(engine::restoreRow);
    var count = 0;
    var unreadable = new ArrayList<Unreadable>();
    @Nullable TaskId before = null;
    while (true) {
      var rows = journal.rows(TaskQuery.live(before, TaskQuery.LIMIT_MAX));
      for (var row : rows) {
        var snapshot = engine.snapshot(row.id());
        if (isUnreadable(row, snapshot, withoutRow.contains(row.id()))) {
          unreadable.add(new Unreadable(row.id(), damagedFrom(snapshot)));
        }
        before = row.id();
        count++;
      }
      if (rows.size() < TaskQuery.LIMIT_MAX) {
        return new Found(count, unreadable);
      }
    }
  }

  /**
   * A task without a frame of its start may have been started, if that frame is lost; a row that
   * was not made from the same frames shows it. A task at a host continues, since the host knows
   * its state, unless the record of what to start is lost.
   */
  private boolean isUnreadable(TaskRow row, Snapshot snapshot, boolean rowIsNew) {
    return switch (snapshot.state()) {
      case TaskState.Held it -> rowIsNew || mayBeStarted(row, it);
      case TaskState.Queued it -> rowIsNew || mayBeStarted(row, it);
      case TaskState.Claimed it -> it.facts().spec().isUnreadable();
      case TaskState.Absent _, TaskState.Running _, TaskState.Ended _ -> false;
    };
  }

  private boolean mayBeStarted(TaskRow row, TaskState.Present state) {
    return row.foldVersion() == TaskRow.DAMAGED
        || row.status() != StatusWord.of(state)
        || journal.damagedFrom(StreamKey.of(row.id())).isPresent();
  }

  private long damagedFrom(Snapshot snapshot) {
    return journal.damagedFrom(StreamKey.of(snapshot.taskId())).orElse(snapshot.lastSeq() + 1);
  }
}
