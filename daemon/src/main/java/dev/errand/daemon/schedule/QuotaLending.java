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
 * Who counts against the quotas: of those that stand below each other only the lowest that runs. So
 * a task lends its place to the first below it that could start, and has it back when that is over;
 * whoever waits for what it has started cannot keep it from running by doing so.
 *
 * <p>It is settled by who runs now and not by how that came to be, so it is the same after a
 * restart.
 */
final class QuotaLending {
  private final ObjIntConsumer<QueueEntry> counts;
  private final Map<TaskId, Ancestor> all = new HashMap<>();

  /** Of those that wait below each task that would lend, the first, and by how many it is shown. */
  private final NavigableMap<QueueEntry, Integer> firsts = new TreeMap<>(QueueEntry.BY_RANK);

  /** A task that runs, or one above others. */
  private static final class Ancestor {
    private final NavigableSet<QueueEntry> waiting = new TreeSet<>(QueueEntry.BY_RANK);

    /** Itself, while it runs. */
    private @Nullable QueueEntry running;

    private int runningBelow;
    private @Nullable QueueEntry shown;

    boolean isUnused() {
      return running == null && runningBelow == 0 && waiting.isEmpty();
    }
  }

  /** Each change of whether one counts is told, as one more or one less. */
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

  /** Whether a task above this one runs whose place nobody has. */
  boolean isLentTo(QueueEntry entry) {
    return entry.above().stream().anyMatch(it -> lends(all.get(it)));
  }

  private static boolean lends(@Nullable Ancestor it) {
    return it != null && it.running != null && it.runningBelow == 0;
  }

  /** The first of those that a place would be lent to; null where there is none. */
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
