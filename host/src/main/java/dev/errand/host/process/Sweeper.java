package dev.errand.host.process;

import dev.errand.core.task.Exit;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
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

/**
 * Finds the processes of an attempt other than its leader, to signal or to kill them.
 *
 * <p>A process belongs to an attempt by its control group, its tag, the task id in its environment,
 * its session, or its parent. Calls may take seconds and must not be made on an I/O thread.
 */
final class Sweeper {
  private static final Duration SWEEP_MAX = Duration.ofSeconds(10);
  private static final long PAUSE_MS_MAX = 50;

  /** The number of processes whose command is reported; for the others only the pid is. */
  static final int NAMED_MAX = 32;

  private final ProcessTable table = new ProcessTable();
  private final long self = ProcessHandle.current().pid();
  private final String bootId = ProcFs.bootId();
  private final LimitMechanisms mechanisms;
  private final Orphans orphans;
  private final Time clock;

  Sweeper(LimitMechanisms mechanisms, Orphans orphans, Time clock) {
    this.mechanisms = mechanisms;
    this.orphans = orphans;
    this.clock = clock;
  }

  /**
   * For an orphan that this host adopted: whether it belongs to the attempt, with marks or without.
   */
  private boolean isOrphanOf(AttemptIdentity identity, ProcessTable.Row row) throws IOException {
    return identity.fits(row) || orphans.isFor(identity.taskId(), row);
  }

  /**
   * What identifies an attempt's processes.
   *
   * @param session the leader's pid, while it cannot be reused; 0 otherwise
   * @param hasGroups whether it may have control groups of its own
   * @param kept the processes that were allowed to live on at its end
   */
  record AttemptIdentity(
      TaskId taskId, long tag, long session, boolean hasGroups, Set<HostRequest.Kept> kept) {
    AttemptIdentity(TaskId taskId, long tag, long session, boolean hasGroups) {
      this(taskId, tag, session, hasGroups, Set.of());
    }

    boolean fits(ProcessTable.Row row) {
      return (tag != 0 && row.tag() == tag)
          || kept.contains(new HostRequest.Kept(row.stat().pid(), row.stat().startTicks()))
          || row.taskId().equals(taskId.value())
          || (session != 0 && row.stat().session() == session);
    }
  }

  /**
   * The processes that a sweep killed, and those that were still alive when its time was over.
   *
   * @param sure whether nothing else is left; false if /proc could not be read until the time was
   *     over
   * @param named the commands of the first of them
   */
  record Swept(List<Long> killed, List<Long> survivors, boolean sure, List<Exit.Leftover> named) {
    static Swept none() {
      return new Swept(List.of(), List.of(), true, List.of());
    }
  }

  /** The processes that outlived their leader; a failed search is repeated for a while. */
  List<Exit.Leftover> leftovers(AttemptIdentity identity) throws IOException {
    var deadline = clock.ticks() + SWEEP_MAX.toNanos();
    while (true) {
      try {
        return seenLeftovers(identity).stream().map(Sweeper::named).toList();
      } catch (IOException e) {
        if (clock.ticks() > deadline) {
          throw e;
        }
        pause(Duration.ofMillis(PAUSE_MS_MAX));
      }
    }
  }

  private static Exit.Leftover named(ProcFs.Stat stat) {
    return new Exit.Leftover(stat.pid(), stat.startTicks(), ProcFs.commandLine(stat));
  }

  /**
   * A cheap check: the leader's orphans are our children now, so if none of those matches there is
   * none further down either.
   */
  private List<ProcFs.Stat> seenLeftovers(AttemptIdentity identity) throws IOException {
    var adopted = ProcFs.adopted();
    if (adopted.isEmpty()) {
      return List.copyOf(members(identity).values());
    }
    var left = new LinkedHashMap<Long, ProcFs.Stat>();
    for (var pid : adopted.get()) {
      var stat = ProcFs.look(pid).filter(ProcFs.Stat::alive);
      if (stat.isPresent() && isOrphanOf(identity, ProcessTable.row(stat.get()))) {
        left.put(pid, stat.get());
      }
    }
    for (var pid : groupMembers(identity)) {
      ProcFs.look(pid).filter(ProcFs.Stat::alive).ifPresent(it -> left.put(pid, it));
    }
    return List.copyOf(left.values());
  }

  /**
   * Whether the dead leader's group has a living member among our children. A process that cannot
   * be inspected may be one.
   */
  boolean groupLives(AttemptIdentity identity) {
    try {
      for (var pid : ProcFs.adopted().orElse(List.of())) {
        var stat = ProcFs.look(pid);
        if (stat.isPresent() && stat.get().alive() && stat.get().group() == identity.session()) {
          return true;
        }
      }
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  private List<Long> groupMembers(AttemptIdentity identity) throws IOException {
    return identity.hasGroups() ? mechanisms.members(identity.tag()) : List.of();
  }

  /** Whether this host has no orphans at all, which is the usual case and cheap to check. */
  boolean hasNoOrphans() {
    try {
      return ProcFs.adopted().filter(List::isEmpty).isPresent();
    } catch (IOException _) {
      return false;
    }
  }

  /**
   * The living processes of an attempt that a signal to its leader's group does not reach. None if
   * the search fails: the group is signalled anyway.
   */
  List<ProcFs.Stat> outside(AttemptIdentity identity) {
    try {
      var all =
          ProcFs.adopted().isPresent()
              ? new DescendantSearch(identity.session(), it -> isOrphanOf(identity, it), clock)
                  .look(groupMembers(identity))
              : members(identity).values();
      return all.stream()
          .filter(it -> it.alive() && it.group() != identity.session())
          .filter(it -> it.pid() != self && it.pid() != 1L)
          .toList();
    } catch (IOException e) {
      System.err.println(
          "host: cannot find the processes outside the group of " + identity + ": " + e);
      return List.of();
    }
  }

  /** Kills what outlived the leader, repeatedly, until nothing is left or the time is over. */
  Swept sweep(AttemptIdentity identity) {
    try {
      if (seenLeftovers(identity).isEmpty()) {
        return Swept.none();
      }
    } catch (IOException _) {
      // Processes that could not be inspected may be left.
    }
    return killAll(identity);
  }

  /**
   * The same for an attempt of a dead host, whose orphans may have any parent, and for what an
   * attempt of any host was allowed to leave.
   */
  Swept sweepDead(HostRequest.Sweep request) throws IOException {
    if (!request.bootId().equals(bootId)) {
      return Swept.none();
    }
    orphans.keepNothing(request.taskId());
    // Without its leader a session's number proves nothing: it may have been reused.
    var leader = ProcFs.look(request.pid());
    var same = leader.isPresent() && leader.get().startTicks() == request.startTicks();
    var session = same && request.pid() > 0 ? request.pid() : 0;
    var swept =
        killAll(
            new AttemptIdentity(
                request.taskId(), request.tag(), session, true, Set.copyOf(request.kept())));
    if (!swept.sure()) {
      throw new IOException("the processes of this machine could not be looked at");
    }
    mechanisms.remove(request.tag());
    return swept;
  }

  private Swept killAll(AttemptIdentity identity) {
    var deadline = clock.ticks() + SWEEP_MAX.toNanos();
    var killed = new LinkedHashSet<Long>();
    var named = new LinkedHashMap<Long, Exit.Leftover>();
    var pauseMs = 1L;
    while (true) {
      var late = clock.ticks() > deadline;
      try {
        var found = members(identity);
        if (found.isEmpty()) {
          return new Swept(List.copyOf(killed), List.of(), true, List.copyOf(named.values()));
        }
        if (late) {
          killed.removeAll(found.keySet());
          var survivors = List.copyOf(found.keySet());
          return new Swept(List.copyOf(killed), survivors, true, List.copyOf(named.values()));
        }
        for (var it : found.values()) {
          if (named.size() < NAMED_MAX) {
            named.computeIfAbsent(it.pid(), _ -> named(it));
          }
        }
        found.values().stream().filter(Processes::killIfSame).forEach(it -> killed.add(it.pid()));
      } catch (IOException e) {
        if (late) {
          System.err.println("host: cannot find the remaining processes of " + identity + ": " + e);
          return new Swept(List.copyOf(killed), List.of(), false, List.copyOf(named.values()));
        }
      }
      pause(Duration.ofMillis(pauseMs));
      pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
    }
  }

  private void pause(Duration time) {
    try {
      clock.sleep(time);
    } catch (InterruptedException _) {
      // A started sweep is completed; its time is bounded.
      Thread.currentThread().interrupt();
    }
  }

  /** All living processes that match, and their descendants. */
  private Map<Long, ProcFs.Stat> members(AttemptIdentity identity) throws IOException {
    var rows = table.seenFromNow();
    var members = new LinkedHashMap<Long, ProcFs.Stat>();
    var groupMembers = new HashSet<>(groupMembers(identity));
    var adopted = new HashSet<>(ProcFs.adopted().orElse(List.of()));
    for (var row : rows) {
      var pid = row.stat().pid();
      if (identity.fits(row)
          || groupMembers.contains(pid)
          || (adopted.contains(pid) && orphans.isFor(identity.taskId(), row))) {
        members.put(pid, row.stat());
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
   * Reaps adopted processes, so that they do not stay zombies, and kills those without marks whose
   * tasks are all over.
   *
   * @param leaders pids that other code has to reap
   * @return the processes that live on
   */
  List<Orphans.Orphan> reapAdopted(Set<Long> leaders) throws IOException {
    var rows = new ArrayList<ProcessTable.Row>();
    for (var pid : ProcFs.adopted().orElse(List.of())) {
      var stat = ProcFs.look(pid);
      if (stat.isEmpty() || leaders.contains(pid)) {
        continue;
      }
      if (!stat.get().alive()) {
        var _ = Processes.reap(pid);
        continue;
      }
      var row = ProcessTable.row(stat.get());
      if (orphans.isDue(row)) {
        var _ = Processes.killIfSame(row.stat());
      }
      rows.add(row);
    }
    return orphans.report(rows);
  }
}
