package dev.errand.daemon;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.hostlink.HostedProcesses;
import dev.errand.daemon.output.PlainText;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

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

  ObjectNode list() {
    var json = JsonNodeFactory.instance.objectNode();
    var list = json.putArray("processes");
    for (var left : find().values()) {
      var command = PlainText.line(ProcFs.commandLine(left.stat()), COMMAND_CHARS_MAX);
      var process =
          list.addObject()
              .put("pid", left.stat().pid())
              .put("start_ticks", left.stat().startTicks())
              .put("kind", left.kept() ? "kept" : "escaped")
              .put("command", command);
      var taskIds = process.putArray("task_ids");
      left.taskIds().forEach(it -> taskIds.add(it.value()));
    }
    return json;
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

  /** Kills one of them and its descendants; returns when they are dead. */
  ObjectNode end(long pid, String by) throws InterruptedException {
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
    var json = JsonNodeFactory.instance.objectNode().put("pid", pid);
    var killed = json.putArray("killed");
    var survivors = json.putArray("survivors");
    tree.forEach(it -> (alive.contains(it) ? survivors : killed).add(it.pid()));
    return json;
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
