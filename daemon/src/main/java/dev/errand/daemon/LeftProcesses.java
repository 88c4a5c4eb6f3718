package dev.errand.daemon;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.hostlink.HostedProcesses;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.verb.Admin;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds processes that outlived or escaped from their tasks: those that were kept when their task
 * ended, and those that removed all their marks, so that they may belong to several tasks. Only
 * these processes can be ended by pid.
 */
record LeftProcesses(HostedProcesses hosts, TaskProcesses tasks, Time clock) {
  private static final Logger log = LoggerFactory.getLogger(LeftProcesses.class);
  private static final int COMMAND_CHARS_MAX = 200;
  private static final Duration DEATH_MAX = Duration.ofSeconds(5);
  private static final Duration DEATH_PAUSE = Duration.ofMillis(10);

  /** One of them; {@code taskIds} has more than one only if it escaped. */
  private record Left(ProcFs.Stat stat, boolean kept, List<TaskId> taskIds) {}

  List<Admin.LeftProcess> list() {
    return find().values().stream().map(LeftProcesses::shown).toList();
  }

  private static Admin.LeftProcess shown(Left left) {
    var stat = left.stat();
    var command = PlainText.line(ProcFs.commandLine(stat), COMMAND_CHARS_MAX);
    return new Admin.LeftProcess(
        stat.pid(), stat.startTicks(), left.kept(), command, left.taskIds());
  }

  private Map<Long, Left> find() {
    var found = new LinkedHashMap<Long, Left>();
    for (var it : hosts.left()) {
      ProcFs.stat(it.pid())
          .filter(stat -> stat.alive() && stat.startTicks() == it.startTicks())
          .ifPresent(stat -> found.put(it.pid(), new Left(stat, it.kept(), it.tasks())));
    }
    try {
      for (var pid : ProcFs.pids()) {
        // Processes adopted by a dead host are only known by their marks.
        var task = found.containsKey(pid) ? null : tasks.leftBy(pid).orElse(null);
        var stat = task == null ? null : ProcFs.stat(pid).filter(ProcFs.Stat::alive).orElse(null);
        if (task != null && stat != null) {
          found.put(pid, new Left(stat, true, List.of(task)));
        }
      }
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "the processes of this machine cannot be listed: " + e, e);
    }
    return found;
  }

  /** Kills one of them and what hangs below it; returns when they are dead. */
  Admin.EndedProcess end(long pid, String by) throws InterruptedException {
    var left = find().get(pid);
    if (left == null) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND,
          "process %d did not escape from a task and was not left by one; errand doctor lists the processes that can be ended"
              .formatted(pid));
    }
    var tree = tree(left.stat());
    tree.forEach(Processes::killIfSame);
    log.info("{} ended process {} of {} and its descendants", by, pid, left.taskIds());
    var alive = awaitDeath(tree);
    return new Admin.EndedProcess(
        pid, pids(tree, it -> !alive.contains(it)), pids(tree, alive::contains));
  }

  private static List<Long> pids(List<ProcFs.Stat> processes, Predicate<ProcFs.Stat> which) {
    return processes.stream().filter(which).map(ProcFs.Stat::pid).toList();
  }

  /** Parents first, so that they cannot start new children. */
  private static List<ProcFs.Stat> tree(ProcFs.Stat root) {
    var tree = new ArrayList<>(List.of(root));
    try {
      for (var i = 0; i < tree.size(); i++) {
        tree.addAll(ProcFs.childrenOf(tree.get(i)));
      }
    } catch (KernelException e) {
      log.warn("not all descendants of {} could be listed: {}", root.pid(), e.getMessage());
    }
    return tree;
  }

  private List<ProcFs.Stat> awaitDeath(List<ProcFs.Stat> processes) throws InterruptedException {
    var deadline = clock.ticks() + DEATH_MAX.toNanos();
    while (true) {
      var alive = processes.stream().filter(LeftProcesses::lives).toList();
      if (alive.isEmpty() || clock.ticks() > deadline) {
        return alive;
      }
      clock.sleep(DEATH_PAUSE);
    }
  }

  private static boolean lives(ProcFs.Stat process) {
    return ProcFs.stat(process.pid())
        .filter(it -> it.alive() && it.startTicks() == process.startTicks())
        .isPresent();
  }
}
