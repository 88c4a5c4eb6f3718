package dev.errand.cli.render;

import dev.errand.cli.terminal.SafeText;
import dev.errand.core.task.LogStream;
import dev.errand.wire.client.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The status of one task, one field to a line. */
public final class StatusBlock {
  private static final int NAME_COLUMNS = 10;

  private final Map<String, String> facts = new LinkedHashMap<>();
  private final TaskStatus task;
  private final Instant now;

  private StatusBlock(TaskStatus task, Instant now) {
    this.task = task;
    this.now = now;
  }

  public static List<String> lines(TaskStatus task, Instant now, boolean colour) {
    var block = new StatusBlock(task, now);
    block.request();
    block.progress();
    block.output();
    return block.facts.entrySet().stream()
        .map(it -> line(it.getKey(), it.getValue(), task, colour))
        .toList();
  }

  private static String line(String name, String value, TaskStatus task, boolean colour) {
    var style = name.equals("status") ? TaskText.style(task) : Style.PLAIN;
    return Style.DIM.on(DisplayWidth.padded(name, NAME_COLUMNS), colour)
        + style.on(SafeText.line(value), colour);
  }

  private void request() {
    fact("id", task.taskId().value());
    fact("label", task.label());
    fact("title", task.title());
    fact("command", task.command());
    fact("cwd", task.cwd());
    fact("session", task.sessionId());
    fact("lane", task.fields().textOrNull("lane"));
    fact("batch", task.fields().textOrNull("batch_id"));
    fact("parent", task.fields().textOrNull("parent_task_id"));
  }

  private void progress() {
    fact("status", (task.status() + " " + TaskText.outcome(task)).strip());
    fact("because", task.message());
    fact("behind", task.queuedBehind());
    fact("due", dueText());
    fact("asks", task.waitingFor());
    fact("until", untilText());
    fact("prompt", task.fields().object("prompt").textOrNull("text"));
    fact("why", task.fields().object("policy").textOrNull("justification"));
    fact("by", task.by());
    if (!task.isEnded() && task.isCancelRequested()) {
      fact("cancel", "requested, not done yet");
    }
    fact("pid", task.pid() == null ? null : Objects.toString(task.pid()));
    if (task.isStopped()) {
      fact("stopped", "until it gets the signal CONT: errand signal " + task.taskId() + " CONT");
    }
    fact("listens", String.join(", ", task.listening()));
    if (task.attempt() > 1) {
      fact("attempt", Integer.toString(task.attempt()));
    }
    fact("created", time(task.createdAt()));
    fact("started", time(task.startedAt()));
    fact("ended", time(task.endedAt()));
    fact("ran", TaskText.runTime(task, now));
    usage();
    survivors();
    damage();
  }

  private void usage() {
    var usage = task.fields().object("usage");
    if (!usage.has("cpu_ms")) {
      return;
    }
    var cpu = Times.span(Duration.ofMillis(usage.number("cpu_ms", 0)));
    var memory = usage.number("max_rss_bytes", 0);
    fact(
        "used",
        cpu + " of processor" + (memory == 0 ? "" : ", " + Sizes.text(memory) + " of memory"));
  }

  private @Nullable String dueText() {
    var due = task.queuedUntil();
    return due == null
        ? null
        : "%s (in %s)".formatted(Times.local(due), Times.span(Duration.between(now, due)));
  }

  private @Nullable String untilText() {
    var until = task.waitsUntil();
    return until == null
        ? null
        : "%s (in %s)".formatted(Times.local(until), Times.span(Duration.between(now, until)));
  }

  private void survivors() {
    var survivors = task.fields().numbers("survivors");
    var left = task.leftoverText();
    fact("left", left);
    if (left.isEmpty() && !survivors.isEmpty()) {
      fact("survivors", survivors + " could not be killed");
    }
    if (!task.escaped().isEmpty()) {
      fact(
          "escaped",
          task.escaped()
              + " may belong to this task or to another that ran at the same time; see errand doctor");
    }
  }

  private void damage() {
    var fields = task.fields();
    if (fields.has("corrupt_from")) {
      fact("damaged", "its record, from frame " + fields.number("corrupt_from") + " on");
    }
  }

  private void output() {
    for (var stream : LogStream.values()) {
      if (task.bytesTotal(stream) > 0) {
        var artifact = task.artifactId(stream);
        var where = artifact == null ? "" : "  sha256 " + artifact;
        fact(stream.word(), Sizes.text(task.bytesTotal(stream)) + where);
      }
    }
  }

  private @Nullable String time(@Nullable Instant at) {
    if (at == null) {
      return null;
    }
    return "%s (%s ago)".formatted(Times.local(at), Times.span(Duration.between(at, now)));
  }

  private void fact(String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      facts.put(name, value);
    }
  }
}
