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
final class Loans {
  private final ObjIntConsumer<Entrant> counts;
  private final Map<TaskId, Kin> all = new HashMap<>();

  /** Of those that wait below each task that would lend, the first, and by how many it is shown. */
  private final NavigableMap<Entrant, Integer> firsts = new TreeMap<>(Entrant.BY_RANK);

  /** A task that runs, or one above others. */
  private static final class Kin {
    private final NavigableSet<Entrant> waiting = new TreeSet<>(Entrant.BY_RANK);

    /** Itself, while it runs. */
    private @Nullable Entrant running;

    private int runningBelow;
    private @Nullable Entrant shown;

    boolean isNobody() {
      return running == null && runningBelow == 0 && waiting.isEmpty();
    }
  }

  /** Each change of whether one counts is told, as one more or one less. */
  Loans(ObjIntConsumer<Entrant> counts) {
    this.counts = counts;
  }

  void await(Entrant entrant) {
    for (var taskId : entrant.above()) {
      kin(taskId).waiting.add(entrant);
      show(taskId);
    }
  }

  void awaitNoMore(Entrant entrant) {
    for (var taskId : entrant.above()) {
      kin(taskId).waiting.remove(entrant);
      show(taskId);
    }
  }

  void enter(Entrant entrant) {
    var it = kin(entrant.id());
    it.running = entrant;
    if (it.runningBelow == 0) {
      counts.accept(entrant, 1);
    }
    show(entrant.id());
    entrant.above().forEach(taskId -> change(taskId, 1));
  }

  void leave(Entrant entrant) {
    var it = kin(entrant.id());
    it.running = null;
    if (it.runningBelow == 0) {
      counts.accept(entrant, -1);
    }
    show(entrant.id());
    entrant.above().forEach(taskId -> change(taskId, -1));
  }

  private void change(TaskId taskId, int by) {
    var it = kin(taskId);
    var before = it.runningBelow;
    it.runningBelow += by;
    if (it.running != null && (before == 0 || it.runningBelow == 0)) {
      counts.accept(it.running, -by);
    }
    show(taskId);
  }

  /** Whether a task above this one runs whose place nobody has. */
  boolean isLentTo(Entrant entrant) {
    return entrant.above().stream().anyMatch(it -> lends(all.get(it)));
  }

  private static boolean lends(@Nullable Kin it) {
    return it != null && it.running != null && it.runningBelow == 0;
  }

  /** The first of those that a place would be lent to; null where there is none. */
  @Nullable Entrant first() {
    return firsts.isEmpty() ? null : firsts.firstKey();
  }

  private Kin kin(TaskId taskId) {
    return all.computeIfAbsent(taskId, _ -> new Kin());
  }

  private void show(TaskId taskId) {
    var it = kin(taskId);
    if (it.shown != null) {
      firsts.computeIfPresent(it.shown, (_, shown) -> shown == 1 ? null : shown - 1);
    }
    it.shown = lends(it) && !it.waiting.isEmpty() ? it.waiting.first() : null;
    if (it.shown != null) {
      firsts.merge(it.shown, 1, Integer::sum);
    }
    if (it.isNobody()) {
      all.remove(taskId);
    }
  }
}
