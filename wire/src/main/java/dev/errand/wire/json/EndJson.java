package dev.errand.wire.json;

import dev.errand.core.task.End;
import dev.errand.core.task.Exit;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskFacts;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a task came to its end, as the fields of its terminal frame and of its status. */
public final class EndJson {
  private static final String EXITED = "exited";
  private static final String FAILED = "failed";
  private static final String CANCELLED = "cancelled";
  private static final String SIGNALLED = "signalled";
  private static final String LOST = "lost";
  private static final String CORRUPT = "corrupt";
  private static final String DENIED = "denied";
  private static final String APPROVAL_EXPIRED = "approval_expired";
  static final String LEFTOVER_PROCESSES = "leftover_processes";

  /** For limits that the kernel keeps; the others speak for themselves. */
  private static final Map<String, String> LIMIT_WORDS =
      Map.of(
          "memory", "it was killed because it used more memory than its limit allows",
          "cpu", "it was killed because it used more processor time than its limit allows",
          "file_size", "it was killed because it wrote a file larger than its limit allows");

  private EndJson() {}

  static void write(JsonWriter out, TaskId taskId, End end, TaskFacts known) {
    var exit = end.exit();
    out.text("status", StatusWord.of(end).word());
    out.numberOrNull("exit_code", exit == null ? null : (Long) (long) exit.code());
    out.text("signal", exit == null ? null : exit.signal());
    out.numberOrNull("started_at_ms", known.everStarted() ? (Long) known.startedAtMs() : null);
    out.number("ended_at_ms", end.atMs());
    LogsJson.write(out, taskId, known.logs());
    out.text("error", error(end));
    reasons(out, end);
    out.text("killed_for", exit == null ? null : exit.killedFor());
    remains(out, end, exit);
    if (end instanceof End.Corrupt it) {
      out.number("corrupt_from", it.fromSeq());
    }
    if (exit != null && !exit.leftovers().processes().isEmpty()) {
      leftoverProcesses(out, exit);
    }
  }

  /** What became of processes that outlived the task's own; the fields that a status ends with. */
  public static void leftovers(JsonWriter out, @Nullable End end) {
    var exit = end == null ? null : end.exit();
    out.text("leftover", exit == null ? null : exit.leftovers().outcome());
    out.numbers("killed", end == null ? List.of() : killed(end));
    leftoverProcesses(out, exit);
  }

  private static void leftoverProcesses(JsonWriter out, @Nullable Exit exit) {
    var processes = exit == null ? List.<Exit.Leftover>of() : exit.leftovers().processes();
    out.array(
        LEFTOVER_PROCESSES,
        it -> processes.forEach(process -> it.item(item -> leftoverProcess(item, process))));
  }

  private static void leftoverProcess(JsonWriter out, Exit.Leftover process) {
    out.number("pid", process.pid())
        .number("start_ticks", process.startTicks())
        .text("command", process.command());
  }

  /** Why it ended, in words, and who wanted it; the fields that a status shows too. */
  static void reasons(JsonWriter out, @Nullable End end) {
    var exit = end == null ? null : end.exit();
    out.text("reason", end == null ? null : reason(end));
    out.text("message", end == null ? null : message(end));
    out.text("by", end == null ? null : by(end));
    out.text("limit", end instanceof End.LimitPassed it ? it.limit() : null);
    out.text("step", exit == null ? null : exit.step());
  }

  /** Who wanted the end; null where nobody is known to have. */
  public static @Nullable String by(End end) {
    return switch (end) {
      case End.Cancelled it -> it.by();
      case End.Denied it -> it.by();
      case End.Exited _,
          End.NotStarted _,
          End.LimitPassed _,
          End.Lost _,
          End.Corrupt _,
          End.ApprovalExpired _ ->
          null;
    };
  }

  private static void remains(JsonWriter out, End end, @Nullable Exit exit) {
    var usage = exit == null ? Exit.Usage.UNKNOWN : exit.usage();
    out.bool("pipe_held", exit != null && exit.leftovers().pipeHeld());
    out.text("leftover", exit == null ? null : exit.leftovers().outcome());
    out.numbers("killed", killed(end));
    out.numbers("survivors", survivors(end));
    out.object("usage", it -> usage(it, usage));
  }

  static void usage(JsonWriter out, Exit.Usage usage) {
    out.number("cpu_ms", usage.cpuMs());
    out.number("max_rss_bytes", usage.maxRssBytes());
    out.number("cpu_user_ms", usage.cpuUserMs());
    out.number("cpu_system_ms", usage.cpuSystemMs());
    out.number("io_read_bytes", usage.ioReadBytes());
    out.number("io_write_bytes", usage.ioWriteBytes());
  }

  /** S0 has one word for both timeouts; the other limits have their own names. */
  public static @Nullable String error(End end) {
    return switch (end) {
      case End.Exited _, End.Cancelled _ -> null;
      case End.NotStarted it -> "not_started: " + it.message();
      case End.LimitPassed it -> it.isTimeout() ? "timeout" : it.limit() + "_limit";
      case End.Lost _ -> LOST;
      case End.Corrupt _ -> CORRUPT;
      case End.Denied _ -> DENIED;
      case End.ApprovalExpired _ -> APPROVAL_EXPIRED;
    };
  }

  /** Why it ended, as a word. */
  public static String reason(End end) {
    return switch (end) {
      case End.Exited it -> it.exit().signal() == null ? EXITED : SIGNALLED;
      case End.NotStarted it -> it.reason();
      case End.LimitPassed it -> it.limit();
      case End.Lost _ -> LOST;
      case End.Corrupt _ -> CORRUPT;
      case End.Denied _ -> DENIED;
      case End.ApprovalExpired _ -> APPROVAL_EXPIRED;
      case End.Cancelled _ -> CANCELLED;
    };
  }

  /** What its end is about in a sentence; absent where its reason says it all. */
  public static @Nullable String message(End end) {
    return switch (end) {
      case End.Exited _, End.Lost _ -> null;
      case End.Corrupt it ->
          "its record in the journal is damaged from frame %d on".formatted(it.fromSeq());
      case End.LimitPassed it -> LIMIT_WORDS.get(it.limit());
      case End.NotStarted it -> it.message();
      case End.Denied it -> it.reason();
      case End.ApprovalExpired _ -> "nobody answered whether it may run";
      case End.Cancelled it -> it.reason();
    };
  }

  public static List<Long> killed(End end) {
    return switch (end) {
      case End.Lost it -> it.killed();
      case End.Corrupt it -> it.killed();
      default -> {
        var exit = end.exit();
        yield exit == null ? List.of() : exit.leftovers().killed();
      }
    };
  }

  public static List<Long> survivors(End end) {
    return switch (end) {
      case End.Lost it -> it.survivors();
      case End.Corrupt it -> it.survivors();
      default -> {
        var exit = end.exit();
        yield exit == null ? List.of() : exit.leftovers().survivors();
      }
    };
  }

  /** The end that a status frame tells of; null for a status that this program does not know. */
  static @Nullable End read(JsonFields in, String status) {
    var at = in.number("ended_at_ms", 0);
    return switch (status) {
      case EXITED -> new End.Exited(readExit(in), at);
      case FAILED -> readFailure(in, at);
      case CANCELLED ->
          new End.Cancelled(
              in.text("message", "cancel"),
              in.text("by", ""),
              in.has("exit_code") ? readExit(in) : null,
              at);
      default -> null;
    };
  }

  private static End readFailure(JsonFields in, long at) {
    var limit = in.textOrNull("limit");
    if (limit != null) {
      return new End.LimitPassed(limit, readExit(in), at);
    }
    return switch (in.text("error", "")) {
      case LOST -> new End.Lost(in.numbers("killed"), in.numbers("survivors"), at);
      case CORRUPT ->
          new End.Corrupt(
              in.number("corrupt_from", 0), in.numbers("killed"), in.numbers("survivors"), at);
      case DENIED -> new End.Denied(in.text("message", ""), in.text("by", ""), at);
      case APPROVAL_EXPIRED -> new End.ApprovalExpired(at);
      default -> new End.NotStarted(in.text("reason", "error"), in.text("message", ""), at);
    };
  }

  private static Exit readExit(JsonFields in) {
    var usage = in.object("usage");
    return new Exit(
        Math.toIntExact(in.number("exit_code", 0)),
        in.textOrNull("signal"),
        in.textOrNull("killed_for"),
        in.textOrNull("step"),
        readLeftovers(in),
        readUsage(usage));
  }

  /** What a status or a terminal frame says of processes that outlived the task's own. */
  public static Exit.Leftovers readLeftovers(JsonFields in) {
    return new Exit.Leftovers(
        in.bool("pipe_held", false),
        in.text("leftover", "none"),
        in.numbers("killed"),
        in.numbers("survivors"),
        readLeftoverProcesses(in));
  }

  private static List<Exit.Leftover> readLeftoverProcesses(JsonFields in) {
    var processes = new ArrayList<Exit.Leftover>();
    for (var node : in.node().path(LEFTOVER_PROCESSES)) {
      var fields = new JsonFields(node);
      processes.add(
          new Exit.Leftover(
              fields.number("pid", 0),
              fields.number("start_ticks", 0),
              fields.text("command", "")));
    }
    return processes;
  }

  /** An older record does not say how much of the time was the system's. */
  private static Exit.Usage readUsage(JsonFields in) {
    return new Exit.Usage(
        in.number("cpu_user_ms", in.number("cpu_ms", 0)),
        in.number("cpu_system_ms", 0),
        in.number("max_rss_bytes", 0),
        in.number("io_read_bytes", 0),
        in.number("io_write_bytes", 0));
  }
}
