package dev.errand.daemon.schedule;

import dev.errand.core.task.TaskId;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which running tasks count against the quotas: in a chain of ancestors only the lowest
 * running task. So a task lends its quota to the first of its descendants that could start, and
 * gets it back when that is over. A task that waits for its own child therefore cannot block the
 * child.
 *
 * <p>The result depends only on which tasks run now, so it is the same after a restart.
 */
final class QuotaLending {
  private final ObjIntConsumer<QueueEntry> counts;
  private final Map<TaskId, Ancestor> all = new HashMap<>();

  /**
   * For each task that could lend, its first waiting descendant; the value is the number of
   * lenders.
   */
  private final NavigableMap<QueueEntry, Integer> firsts = new TreeMap<>(QueueEntry.BY_RANK);

  /** A running task, or an ancestor of queued tasks. */
  private static final class Ancestor {
    private final NavigableSet<QueueEntry> waiting = new TreeSet<>(QueueEntry.BY_RANK);

    /** The task itself, while it runs. */
    private @Nullable QueueEntry running;

    private int runningBelow;
    private @Nullable QueueEntry shown;

    boolean isUnused() {
      return running == null && runningBelow == 0 && waiting.isEmpty();
    }
  }

  /** Calls {@code counts} with +1 or -1 whenever a task begins or stops to count. */
  QuotaLending(ObjIntConsumer<QueueEntry> counts) {
    this.counts = counts;
  }

  void await(QueueEntry entry) {
    for (var taskId : entry.above()) {
      ancestor(taskId).waiting.add(entry);
      show(taskId);
    }
  }

  void awaitNoMore(QueueEntry entry) {
    for (var taskId : entry.above()) {
      ancestor(taskId).waiting.remove(entry);
      show(taskId);
    }
  }

  void enter(QueueEntry entry) {
    var it = ancestor(entry.id());
    it.running = entry;
    if (it.runningBelow == 0) {
      counts.accept(entry, 1);
    }
    show(entry.id());
    entry.above().forEach(taskId -> change(taskId, 1));
  }

  void leave(QueueEntry entry) {
    var it = ancestor(entry.id());
    it.running = null;
    if (it.runningBelow == 0) {
      counts.accept(entry, -1);
    }
    show(entry.id());
    entry.above().forEach(taskId -> change(taskId, -1));
  }

  private void change(TaskId taskId, int by) {
    var it = ancestor(taskId);
    var before = it.runningBelow;
    it.runningBelow += by;
    if (it.running != null && (before == 0 || it.runningBelow == 0)) {
      counts.accept(it.running, -by);
    }
    show(taskId);
  }

  /** Whether an ancestor of this task runs and can lend its quota. */
  boolean isLentTo(QueueEntry entry) {
    return entry.above().stream().anyMatch(it -> lends(all.get(it)));
  }

  private static boolean lends(@Nullable Ancestor it) {
    return it != null && it.running != null && it.runningBelow == 0;
  }

  /** The first task that would get a lent quota; null if there is none. */
  @Nullable QueueEntry first() {
    return firsts.isEmpty() ? null : firsts.firstKey();
  }

  private Ancestor ancestor(TaskId taskId) {
    return all.computeIfAbsent(taskId, _ -> new Ancestor());
  }

  private void show(TaskId taskId) {
    var it = ancestor(taskId);
    if (it.shown != null) {
      firsts.computeIfPresent(it.shown, (_, shown) -> shown == 1 ? null : shown - 1);
    }
    it.shown = lends(it) && !it.waiting.isEmpty() ? it.waiting.first() : null;
    if (it.shown != null) {
      firsts.merge(it.shown, 1, Integer::sum);
    }
    if (it.isUnused()) {
      all.remove(taskId);
    }
  }
}
