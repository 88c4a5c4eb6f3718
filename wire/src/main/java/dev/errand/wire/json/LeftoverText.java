package dev.errand.wire.json;

import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;

/** Says in words what became of processes that outlived their task, from its status object. */
public final class LeftoverText {
  /** So many are named, and the others counted. */
  private static final int SHOWN_MAX = 5;

  private LeftoverText() {}

  /** One or two sentences without a stop at the end; empty where there is nothing to tell. */
  public static String of(JsonFields status) {
    var killed = status.numbers("killed");
    var survivors = status.numbers("survivors");
    return switch (status.text("leftover", "none")) {
      case "killed" -> {
        var ended = killed.isEmpty() ? "" : ended(killed, status);
        var alive = survivors.isEmpty() ? "" : unkillable(survivors, status);
        yield ended + (ended.isEmpty() || alive.isEmpty() ? "" : "; ") + alive;
      }
      case "kept" -> survivors.isEmpty() ? "" : kept(survivors, status);
      case "unknown" -> "it is not known whether it left processes running";
      default -> "";
    };
  }

  private static String ended(List<Long> pids, JsonFields status) {
    return (pids.size() == 1
            ? "1 background process that it left was ended: "
            : pids.size() + " background processes that it left were ended: ")
        + names(pids, status);
  }

  private static String unkillable(List<Long> pids, JsonFields status) {
    return (pids.size() == 1
            ? "1 process that it left could not be ended: "
            : pids.size() + " processes that it left could not be ended: ")
        + names(pids, status);
  }

  private static String kept(List<Long> pids, JsonFields status) {
    return (pids.size() == 1
            ? "1 background process was kept running: "
            : pids.size() + " background processes were kept running: ")
        + names(pids, status)
        + (pids.size() == 1 ? "; cancel the task to end it" : "; cancel the task to end them");
  }

  private static String names(List<Long> pids, JsonFields status) {
    var commands = new HashMap<Long, String>();
    for (var node : status.node().path(EndJson.LEFTOVER_PROCESSES)) {
      var process = new JsonFields(node);
      commands.put(process.number("pid", 0), process.text("command", ""));
    }
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
