package dev.errand.core.engine;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The folded state of each live task, with one lock for each. The state of an ended or unknown task
 * is folded on demand and not kept.
 */
final class LiveTasks {
  private final Journal journal;
  private final FrameCodec codec;
  private final ConcurrentHashMap<TaskId, Cell> tasks = new ConcurrentHashMap<>();

  LiveTasks(Journal journal, FrameCodec codec) {
    this.journal = journal;
    this.codec = codec;
  }

  <T> T with(TaskId taskId, Function<Cell, T> work) {
    var cell = hold(taskId);
    try {
      return work.apply(cell);
    } finally {
      release(cell);
    }
  }

  /** Locks several tasks at once. The ids must be sorted, or two callers could deadlock. */
  void withAll(List<TaskId> sortedIds, Consumer<List<Cell>> work) {
    var held = new ArrayList<Cell>(sortedIds.size());
    try {
      for (var taskId : sortedIds) {
        held.add(hold(taskId));
      }
      work.accept(held);
    } finally {
      held.reversed().forEach(this::release);
    }
  }

  /** The last committed state, if the task is in memory; never waits for a commit in progress. */
  @Nullable Snapshot known(TaskId taskId) {
    var cell = tasks.get(taskId);
    return cell == null ? null : cell.known;
  }

  List<Snapshot> live() {
    var snapshots = new ArrayList<Snapshot>();
    for (var cell : tasks.values()) {
      var known = cell.known;
      if (known != null && known.state() instanceof TaskState.Live) {
        snapshots.add(known);
      }
    }
    return snapshots;
  }

  @SuppressWarnings("LockNotBeforeTry") // The caller holds it until release.
  private Cell hold(TaskId taskId) {
    while (true) {
      var cell = tasks.computeIfAbsent(taskId, Cell::new);
      cell.lock.lock();
      // It may have been removed between the look-up and the lock; then look it up again.
      if (tasks.get(taskId) == cell) {
        return cell;
      }
      cell.lock.unlock();
    }
  }

  private void release(Cell cell) {
    var known = cell.known;
    if (known == null || !(known.state() instanceof TaskState.Live)) {
      tasks.remove(cell.taskId, cell);
    }
    cell.lock.unlock();
  }

  /** One task, locked by the caller. */
  final class Cell {
    private final TaskId taskId;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Snapshot known;

    private Cell(TaskId taskId) {
      this.taskId = taskId;
    }

    Snapshot snapshot() {
      var snapshot = known;
      if (snapshot == null) {
        snapshot = fold(taskId);
        known = snapshot;
      }
      return snapshot;
    }

    /** The same for a task with a new id, which has no frames yet. */
    Snapshot fresh() {
      var snapshot = known;
      return snapshot != null ? snapshot : new Snapshot(taskId, new TaskState.Absent(), -1);
    }

    void advance(Snapshot next) {
      known = next;
    }

    void forget() {
      known = null;
    }
  }

  private Snapshot fold(TaskId taskId) {
    return new Folding(journal, codec, taskId).snapshot();
  }

  /** The task as it stood after its frame {@code seq}. */
  Snapshot upTo(TaskId taskId, long seq) {
    return new Folding(journal, codec, taskId).upTo(seq);
  }
}
