package dev.errand.wire.json;

import dev.errand.core.task.Exit;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;

/** Says in words what became of processes that outlived their task, from what is recorded. */
public final class LeftoverText {
  /** So many are named, and the others counted. */
  private static final int SHOWN_MAX = 5;

  private static final String KEEP =
      "; to keep such a process give leftover: keep, or start it as a task of its own"
          + " (action=spawn, service: true)";

  private LeftoverText() {}

  /**
   * One or two sentences without a stop at the end, with what to do to keep such processes; empty
   * where there is nothing to tell.
   */
  public static String of(Exit.Leftovers left) {
    var what = brief(left);
    return left.outcome().equals("killed") && !left.killed().isEmpty() ? what + KEEP : what;
  }

  /** The same without what to do. */
  public static String brief(Exit.Leftovers left) {
    var killed = left.killed();
    var survivors = left.survivors();
    return switch (left.outcome()) {
      case "killed" -> {
        var ended = killed.isEmpty() ? "" : ended(killed, left);
        var alive = survivors.isEmpty() ? "" : unkillable(survivors, left);
        yield ended + (ended.isEmpty() || alive.isEmpty() ? "" : "; ") + alive;
      }
      case "kept" -> survivors.isEmpty() ? "" : kept(survivors, left);
      case "unknown" -> "it is not known whether it left processes running";
      default -> "";
    };
  }

  private static String ended(List<Long> pids, Exit.Leftovers left) {
    return (pids.size() == 1
            ? "1 background process that it left was ended: "
            : pids.size() + " background processes that it left were ended: ")
        + names(pids, left);
  }

  private static String unkillable(List<Long> pids, Exit.Leftovers left) {
    return (pids.size() == 1
            ? "1 process that it left could not be ended: "
            : pids.size() + " processes that it left could not be ended: ")
        + names(pids, left);
  }

  private static String kept(List<Long> pids, Exit.Leftovers left) {
    return (pids.size() == 1
            ? "1 background process was kept running: "
            : pids.size() + " background processes were kept running: ")
        + names(pids, left)
        + (pids.size() == 1 ? "; cancel the task to end it" : "; cancel the task to end them");
  }

  private static String names(List<Long> pids, Exit.Leftovers left) {
    var commands = new HashMap<Long, String>();
    left.processes().forEach(it -> commands.put(it.pid(), it.command()));
    var shown =
        pids.stream()
            .limit(SHOWN_MAX)
            .map(it -> name(it, commands.getOrDefault(it, "")))
            .collect(Collectors.joining(", "));
    var more = pids.size() - SHOWN_MAX;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }

  private static String name(long pid, String command) {
    return command.isEmpty() ? Long.toString(pid) : pid + " (" + command + ")";
  }
}
