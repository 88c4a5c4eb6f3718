package dev.errand.host.process;

import dev.errand.core.task.TaskId;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import dev.errand.host.protocol.HostRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Finds what belongs to an attempt beyond its leader, and kills it.
 *
 * <p>A process belongs to it by control group where the task has one, by tag, by task id in its
 * environment, by session, or because its parent does. Calls may take seconds and must not be made
 * on an I/O thread.
 */
final class Sweeper {
  private static final Duration SWEEP_MAX = Duration.ofSeconds(10);
  private static final long PAUSE_MS_MAX = 50;

  private final ProcessTable table = new ProcessTable();
  private final long self = ProcessHandle.current().pid();
  private final Cages cages;

  Sweeper(Cages cages) {
    this.cages = cages;
  }

  /**
   * By what an attempt's processes are known.
   *
   * @param session the leader's pid, as long as it cannot mean another process; 0 otherwise
   * @param caged whether it may have control groups of its own
   */
  record Trace(TaskId taskId, long tag, long session, boolean caged) {
    boolean fits(ProcessTable.Row row) {
      return (tag != 0 && row.tag() == tag)
          || row.taskId().equals(taskId.value())
          || (session != 0 && row.stat().session() == session);
    }
  }

  /** Whom a sweep killed, and who was still there when its time was over. */
  record Swept(List<Long> killed, List<Long> survivors) {
    static Swept none() {
      return new Swept(List.of(), List.of());
    }
  }

  /**
   * The processes that outlived their leader, seen cheaply: its orphans are our children now, so
   * where none of those fits there is none further down either.
   */
  List<Long> leftovers(Trace trace) {
    var adopted = ProcFs.adopted();
    if (adopted.isEmpty()) {
      return members(trace, System.nanoTime()).keySet().stream().toList();
    }
    var left = new ArrayList<Long>();
    for (var pid : adopted.get()) {
      ProcFs.stat(pid)
          .filter(ProcFs.Stat::alive)
          .filter(it -> trace.fits(ProcessTable.row(it)))
          .ifPresent(it -> left.add(it.pid()));
    }
    for (var pid : caged(trace)) {
      if (!left.contains(pid) && ProcFs.stat(pid).filter(ProcFs.Stat::alive).isPresent()) {
        left.add(pid);
      }
    }
    return left;
  }

  /** Whether the dead leader's group has a living member, among those that are our children now. */
  boolean groupLives(Trace trace) {
    return ProcFs.adopted().orElse(List.of()).stream()
        .flatMap(it -> ProcFs.stat(it).stream())
        .anyMatch(it -> it.alive() && it.group() == trace.session());
  }

  private List<Long> caged(Trace trace) {
    return trace.caged() ? cages.members(trace.tag()) : List.of();
  }

  /**
   * Whether no process at all has been left to us, which is the usual case and seen at a glance.
   */
  boolean hasNoOrphans() {
    return ProcFs.adopted().filter(List::isEmpty).isPresent();
  }

  /** Kills what outlived the leader, again and again until nothing is left or the time is over. */
  Swept sweep(Trace trace) {
    return leftovers(trace).isEmpty() ? Swept.none() : killAll(trace);
  }

  /** The same for an attempt of a host that is dead, whose orphans are anybody's children. */
  Swept sweepDead(HostRequest.Sweep request) {
    if (!request.bootId().equals(ProcFs.bootId())) {
      return Swept.none();
    }
    // Without its leader a session's number proves nothing: it may have been given out again.
    var leader = ProcFs.stat(request.pid());
    var same = leader.isPresent() && leader.get().startTicks() == request.startTicks();
    var session = same && request.pid() > 0 ? request.pid() : 0;
    var swept = killAll(new Trace(request.taskId(), request.tag(), session, true));
    cages.remove(request.tag());
    return swept;
  }

  private Swept killAll(Trace trace) {
    var deadline = System.nanoTime() + SWEEP_MAX.toNanos();
    var killed = new LinkedHashSet<Long>();
    var pauseMs = 1L;
    while (true) {
      var found = members(trace, System.nanoTime());
      if (found.isEmpty()) {
        return new Swept(List.copyOf(killed), List.of());
      }
      if (System.nanoTime() > deadline) {
        killed.removeAll(found.keySet());
        return new Swept(List.copyOf(killed), List.copyOf(found.keySet()));
      }
      for (var stat : found.values()) {
        if (Processes.killIfSame(stat)) {
          killed.add(stat.pid());
        }
      }
      pause(pauseMs);
      pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
    }
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException _) {
      // A sweep that was begun goes to its end, which is bounded.
      Thread.currentThread().interrupt();
    }
  }

  /** All living processes that fit, and what hangs below them. */
  private Map<Long, ProcFs.Stat> members(Trace trace, long nanos) {
    List<ProcessTable.Row> rows;
    try {
      rows = table.seenAfter(nanos);
    } catch (IOException e) {
      throw new IllegalStateException("/proc cannot be read", e);
    }
    var members = new LinkedHashMap<Long, ProcFs.Stat>();
    var caged = new HashSet<>(caged(trace));
    for (var row : rows) {
      if (trace.fits(row) || caged.contains(row.stat().pid())) {
        members.put(row.stat().pid(), row.stat());
      }
    }
    addDescendants(members, rows);
    members.remove(self);
    members.remove(1L);
    members.values().removeIf(it -> !it.alive());
    return members;
  }

  private void addDescendants(Map<Long, ProcFs.Stat> members, List<ProcessTable.Row> rows) {
    var children = new HashMap<Long, List<ProcFs.Stat>>();
    for (var row : rows) {
      children.computeIfAbsent(row.stat().parent(), _ -> new ArrayList<>()).add(row.stat());
    }
    var open = new ArrayList<>(members.keySet());
    while (!open.isEmpty()) {
      var parent = open.removeLast();
      if (parent == self || parent == 1L) {
        continue;
      }
      for (var child : children.getOrDefault(parent, List.of())) {
        if (members.putIfAbsent(child.pid(), child) == null) {
          open.add(child.pid());
        }
      }
    }
  }

  /**
   * Takes the ends of adopted processes, so that they do not stay zombies, and counts the living
   * ones that no attempt explains. Those are told about and never killed.
   *
   * @param leaders pids that are somebody else's to reap
   * @param explained whether a tag is one of ours
   */
  int reapAdopted(Set<Long> leaders, LongPredicate explained) {
    var escaped = 0;
    for (var pid : ProcFs.adopted().orElse(List.of())) {
      var stat = ProcFs.stat(pid);
      if (stat.isEmpty() || leaders.contains(pid)) {
        continue;
      }
      if (!stat.get().alive()) {
        var _ = Processes.reap(pid);
      } else if (!explained.test(Tag.ofProcess(pid))) {
        escaped++;
      }
    }
    return escaped;
  }
}
