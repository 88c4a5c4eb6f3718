package dev.errand.host.process;

import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.record.AttemptId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the orphans that this host has adopted to attempts.
 *
 * <p>An orphan with a mark belongs to the attempt of that mark. An orphan that removed all marks
 * may belong to any attempt that was live when it started: to the only one, if there was only one.
 * If there were several it is <em>escaped</em>, and is left alone until the last of them is over,
 * since killing it earlier could end a process of another task.
 */
final class Orphans {
  /**
   * By then every orphan of an ended attempt was inspected, as that happens about once a second.
   */
  private static final Duration REMEMBERED = Duration.ofSeconds(5);

  /** Start times are counted in ticks. */
  private static final Duration TICK = Duration.ofMillis(10);

  private final long mark;
  private final Time clock;
  private final Map<AttemptId, Life> lives = new ConcurrentHashMap<>();
  private final Map<Key, Set<Life>> unmarked = new ConcurrentHashMap<>();

  /** An attempt from before its start until its information is no longer needed. */
  static final class Life {
    private final AttemptId id;
    private final long tag;
    private final Time clock;
    private volatile long pid;
    private volatile long startTicks;
    private volatile long endNanos;
    private volatile boolean ended;
    private volatile boolean keeps;

    private Life(AttemptId id, long tag, Time clock) {
      this.id = id;
      this.tag = tag;
      this.clock = clock;
    }

    void started(long leader, long ticks) {
      pid = leader;
      startTicks = ticks;
    }

    /** The attempt is over; its remaining processes may live on, or may not. */
    void ended(boolean keepsLeftovers) {
      keeps = keepsLeftovers;
      endNanos = clock.ticks();
      ended = true;
    }

    /** Whether none of its processes may live any more. */
    private boolean isOver() {
      return ended && !keeps;
    }

    private boolean mayBeOf(long ticks, long nanos) {
      return startTicks <= ticks && (!ended || keeps || endNanos + 2 * TICK.toNanos() >= nanos);
    }
  }

  private record Key(long pid, long startTicks) {
    static Key of(ProcFs.Stat stat) {
      return new Key(stat.pid(), stat.startTicks());
    }
  }

  /** An orphan that lives on: of a task that may leave it, or of one of several tasks. */
  record Orphan(ProcFs.Stat stat, List<TaskId> tasks, boolean kept) {
    Orphan {
      tasks = List.copyOf(tasks);
    }
  }

  Orphans(long mark, Time clock) {
    this.mark = mark;
    this.clock = clock;
  }

  /** Must be called before the process is created, so that none is assigned to another attempt. */
  Life begin(AttemptId id, long tag) {
    var life = new Life(id, tag, clock);
    lives.put(id, life);
    return life;
  }

  /** Nothing was started. */
  void forget(AttemptId id) {
    lives.remove(id);
  }

  /** No process of that task may be left any more, whatever the task allowed. */
  void keepNothing(TaskId taskId) {
    lives.values().stream()
        .filter(it -> it.id.taskId().equals(taskId))
        .forEach(it -> it.keeps = false);
  }

  /** Whether this attempt has to end an orphan without marks: it can belong to no other. */
  boolean isFor(TaskId taskId, ProcessTable.Row row) throws IOException {
    if (isMarked(row)) {
      return false;
    }
    var candidates = candidates(row.stat());
    return candidates.stream().anyMatch(it -> it.id.taskId().equals(taskId))
        && candidates.stream().allMatch(it -> it.isOver() || it.id.taskId().equals(taskId));
  }

  /** Whether all attempts that it may belong to are over, and there was at least one. */
  boolean isDue(ProcessTable.Row row) throws IOException {
    if (isMarked(row)) {
      return false;
    }
    var candidates = candidates(row.stat());
    return !candidates.isEmpty() && candidates.stream().allMatch(Life::isOver);
  }

  /** The processes that live on after their task, or may belong to several tasks. */
  List<Orphan> report(List<ProcessTable.Row> rows) throws IOException {
    var report = new ArrayList<Orphan>();
    var keepers = new HashSet<Life>();
    for (var row : rows) {
      var owner = owner(row);
      if (owner == null && !isMarked(row)) {
        var candidates = candidates(row.stat());
        candidates.stream().filter(it -> it.keeps).forEach(keepers::add);
        if (candidates.size() != 1 || candidates.iterator().next().keeps) {
          report.add(orphan(row, candidates, candidates.size() == 1));
        }
      } else if (owner != null && owner.ended) {
        keepers.add(owner);
        report.add(orphan(row, Set.of(owner), true));
      }
    }
    prune(rows, keepers);
    return report;
  }

  private static Orphan orphan(ProcessTable.Row row, Set<Life> lives, boolean kept) {
    var tasks =
        lives.stream()
            .map(it -> it.id.taskId())
            .sorted(Comparator.comparing(TaskId::value))
            .toList();
    return new Orphan(row.stat(), tasks, kept);
  }

  private void prune(List<ProcessTable.Row> rows, Set<Life> keepers) {
    var there = new HashSet<Key>();
    rows.forEach(it -> there.add(Key.of(it.stat())));
    unmarked.keySet().retainAll(there);
    var before = clock.ticks() - REMEMBERED.toNanos();
    lives.values().removeIf(it -> it.ended && it.endNanos - before < 0 && !keepers.contains(it));
  }

  private Set<Life> candidates(ProcFs.Stat stat) throws IOException {
    var known = unmarked.get(Key.of(stat));
    if (known != null) {
      return known;
    }
    var now = clock.ticks();
    var startedNanos = now - (ProcFs.uptimeTicks() - stat.startTicks()) * TICK.toNanos();
    var found = new HashSet<Life>();
    for (var life : lives.values()) {
      if (life.mayBeOf(stat.startTicks(), startedNanos)) {
        found.add(life);
      }
    }
    unmarked.put(Key.of(stat), found);
    return found;
  }

  /** Whether something shows its attempt, or it is a process that this host has just created. */
  private boolean isMarked(ProcessTable.Row row) {
    return owner(row) != null || (row.tag() != 0 && Tag.markOf(row.tag()) == mark);
  }

  private @Nullable Life owner(ProcessTable.Row row) {
    for (var life : lives.values()) {
      if (life.tag == row.tag()
          || life.id.taskId().value().equals(row.taskId())
          || (life.pid != 0 && !life.ended && life.pid == row.stat().session())) {
        return life;
      }
    }
    return ofGroup(row.stat().pid());
  }

  /** A task with limits has its own control group, which a process does not leave by itself. */
  private @Nullable Life ofGroup(long pid) {
    var tag = LimitMechanisms.tagOf(pid);
    return tag == 0
        ? null
        : lives.values().stream().filter(it -> it.tag == tag).findFirst().orElse(null);
  }
}
