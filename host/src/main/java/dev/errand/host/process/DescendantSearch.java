package dev.errand.host.process;

import dev.errand.core.time.Time;
import dev.errand.host.linux.ProcFs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One search for all processes of an attempt whose leader is not yet reaped: the leader's
 * descendants, the adopted orphans that match, and their descendants.
 *
 * <p>It follows the kernel's lists of children. So its cost depends on the task's own tree and the
 * orphans of this host, not on the number of other tasks.
 */
final class DescendantSearch {
  /**
   * The search stops after this many rounds; in a tree that grows as fast as it is searched the
   * rest is left out.
   */
  private static final Duration LOOK_MAX = Duration.ofSeconds(2);

  private final long leader;
  private final Sign sign;
  private final Time clock;
  private final long deadline;
  private final Map<Long, ProcFs.Stat> found = new LinkedHashMap<>();
  private final Set<Long> strangers = new HashSet<>();

  /** What identifies an orphan. */
  interface Sign {
    boolean fits(ProcessTable.Row row) throws IOException;
  }

  DescendantSearch(long leader, Sign sign, Time clock) {
    this.leader = leader;
    this.sign = sign;
    this.clock = clock;
    this.deadline = clock.ticks() + LOOK_MAX.toNanos();
  }

  /**
   * Searches until a round finds nothing new: a process whose parent dies during the search becomes
   * our child, maybe just after our children were read.
   *
   * @param groupMembers the processes in the attempt's control groups
   */
  Collection<ProcFs.Stat> look(List<Long> groupMembers) throws IOException {
    int before;
    do {
      before = found.size();
      var seen = new HashSet<Long>();
      addWithBelow(leader, seen);
      for (var pid : ProcFs.adopted().orElse(List.of())) {
        if (isOurs(pid)) {
          addWithBelow(pid, seen);
        }
      }
      for (var pid : groupMembers) {
        addWithBelow(pid, seen);
      }
    } while (found.size() > before && !isLate());
    return found.values();
  }

  private boolean isOurs(long pid) throws IOException {
    if (isLate() || strangers.contains(pid)) {
      return false;
    }
    var stat = ProcFs.look(pid).filter(ProcFs.Stat::alive);
    if (stat.isPresent() && sign.fits(ProcessTable.row(stat.get()))) {
      return true;
    }
    strangers.add(pid);
    return false;
  }

  private void addWithBelow(long root, Set<Long> seen) throws IOException {
    var open = new ArrayList<ProcFs.Stat>();
    ProcFs.look(root).ifPresent(open::add);
    while (!open.isEmpty() && !isLate()) {
      var next = open.removeLast();
      if (seen.add(next.pid())) {
        found.put(next.pid(), next);
        open.addAll(ProcFs.childrenOf(next));
      }
    }
  }

  private boolean isLate() {
    return clock.ticks() > deadline;
  }
}
