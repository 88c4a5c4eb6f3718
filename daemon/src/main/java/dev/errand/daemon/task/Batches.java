package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.BatchStatus;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a session, and of those that they started, with the same batch id, taken together. A
 * batch exists while a task names it.
 */
public final class Batches {

  /** Of a larger batch only the newest tasks are read. */
  private static final int TASKS_MAX = 10_000;

  private final Engine engine;
  private final Tasks tasks;
  private final TaskViews views;
  private final Time clock;

  public Batches(Engine engine, Tasks tasks, TaskViews views, Time clock) {
    this.engine = engine;
    this.tasks = tasks;
    this.views = views;
    this.clock = clock;
  }

  /** When a wait for a batch ends. */
  public enum Mode {
    ALL,
    ANY
  }

  /** The state of a batch: its rows, newest first. */
  public record Batch(SessionId sessionId, String id, List<TaskRow> rows) {
    public Batch {
      rows = List.copyOf(rows);
    }

    public boolean isOver() {
      return rows.stream().noneMatch(TaskRow::active);
    }

    public boolean hasEnded() {
      return !rows.stream().allMatch(TaskRow::active);
    }

    /** How many tasks have each status. */
    public Map<String, Long> counts() {
      var counts = new TreeMap<String, Long>();
      rows.forEach(it -> counts.merge(it.status().word(), 1L, Long::sum));
      return counts;
    }

    /**
     * {@code running} while one is live; then {@code error} if one failed or exited with another
     * code than 0, {@code cancelled} if one was cancelled, and otherwise {@code completed}.
     */
    public BatchStatus status() {
      if (!isOver()) {
        return BatchStatus.RUNNING;
      }
      if (rows.stream().anyMatch(Batch::wentWrong)) {
        return BatchStatus.ERROR;
      }
      return rows.stream().anyMatch(it -> it.status() == StatusWord.CANCELLED)
          ? BatchStatus.CANCELLED
          : BatchStatus.COMPLETED;
    }

    private static boolean wentWrong(TaskRow row) {
      return switch (row.status()) {
        case FAILED -> true;
        case EXITED -> !row.isSuccess();
        case QUEUED, RUNNING, CANCELLED -> false;
      };
    }
  }

  /** Throws NOT_FOUND if no task of the session names this batch. */
  public Batch of(SessionId sessionId, String batchId) {
    var rows = new ArrayList<TaskRow>();
    @Nullable TaskId before = null;
    while (rows.size() < TASKS_MAX) {
      var query = TaskQuery.batch(sessionId, batchId, before, TaskQuery.LIMIT_MAX);
      var page = engine.rows(query.withDescendants());
      rows.addAll(page);
      if (page.size() < TaskQuery.LIMIT_MAX) {
        break;
      }
      before = page.getLast().id();
    }
    if (rows.isEmpty()) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND,
          "session %s has no batch of this name; a batch begins with its first task"
              .formatted(sessionId));
    }
    return new Batch(sessionId, batchId, rows);
  }

  /**
   * Asks for the end of all live tasks, and ends the processes that the others left; returns when
   * that is recorded. If {@code check} refuses one task, none is ended.
   */
  public Batch cancel(
      SessionId sessionId, String batchId, String reason, String by, Consumer<TaskId> check) {
    var chosen = of(sessionId, batchId).rows().stream().filter(this::hasProcesses).toList();
    chosen.forEach(it -> check.accept(it.id()));
    chosen.forEach(it -> tasks.cancel(it.id(), reason, by, null));
    return of(sessionId, batchId);
  }

  private boolean hasProcesses(TaskRow row) {
    return row.active() || views.view(row).leftovers().isKept();
  }

  /**
   * Waits until all are over, or one is; returns the batch at that moment, or when the time has
   * passed.
   */
  public Batch await(SessionId sessionId, String batchId, Mode mode, Duration timeout)
      throws InterruptedException {
    var begun = clock.ticks();
    var batch = of(sessionId, batchId);
    while (!isReached(batch, mode)) {
      var left = timeout.minusNanos(clock.ticks() - begun);
      if (!left.isPositive()) {
        return batch;
      }
      awaitNext(batch, mode, left);
      batch = of(sessionId, batchId);
    }
    return batch;
  }

  /** Whether the condition of the wait is met. */
  public static boolean isReached(Batch batch, Mode mode) {
    return switch (mode) {
      case ALL -> batch.isOver();
      case ANY -> batch.hasEnded();
    };
  }

  private void awaitNext(Batch batch, Mode mode, Duration left) throws InterruptedException {
    var live = batch.rows().stream().filter(TaskRow::active).map(TaskRow::id).toList();
    switch (mode) {
      case ALL -> tasks.awaitEnd(live.getLast(), left);
      case ANY -> awaitAny(live, left);
    }
  }

  private void awaitAny(List<TaskId> live, Duration left) throws InterruptedException {
    var one = new Signal();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var taskId : live) {
        var _ =
            threads.submit(() -> {
              if (tasks.awaitEnd(taskId, left)) {
                one.raise();
              }
              return true;
            });
      }
      try {
        var _ = clock.await(one, left);
      } finally {
        threads.shutdownNow();
      }
    }
  }
}
