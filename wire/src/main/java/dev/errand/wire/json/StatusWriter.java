package dev.errand.wire.json;

import dev.errand.core.task.End;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the status object of a task; {@link StatusReader} reads it back. */
public final class StatusWriter {
  private static final String APPROVAL = "approval";

  private StatusWriter() {}

  /** The whole object. */
  public static byte[] bytes(TaskView view) {
    return JsonWriter.object(out -> write(out, view));
  }

  /** The fields of the object. */
  public static void write(JsonWriter out, TaskView view) {
    var end = view.end();
    result(out, view, end);
    request(out, view.facts());
    progress(out, view, end);
    out.number("last_seq", view.facts().progress().lastSeq());
    usage(out, view);
    grouping(out, view.facts());
    EndJson.leftovers(out, end);
    prompt(out, view);
    queue(out, view);
    findings(out, view);
  }

  private static void result(JsonWriter out, TaskView view, @Nullable End end) {
    var facts = view.facts();
    var exit = view.exit();
    out.text("task_id", facts.id().value());
    out.text("status", view.status().word());
    out.text("tool", facts.work().tool());
    out.text("title", facts.origin().title());
    connection(out, facts.work());
    out.numberOrNull("exit_code", exit == null ? null : (Long) (long) exit.code());
    out.numberOrNull("started_at_ms", orNull(view.startedAtMs()));
    out.numberOrNull("ended_at_ms", end == null ? null : (Long) end.atMs());
    LogsJson.write(out, facts.id(), facts.progress().logs());
    out.text("error", end == null ? null : EndJson.error(end));
    out.text("signal", exit == null ? null : exit.signal());
  }

  private static void connection(JsonWriter out, TaskView.Work work) {
    switch (work) {
      case TaskView.OfCommand it -> {
        out.text("execution_mode", it.mode().word());
        SpecJson.size(out, it.terminal());
      }
    }
  }

  private static void request(JsonWriter out, TaskView.Facts facts) {
    out.text("session_id", facts.origin().sessionId().value());
    out.text("kind", facts.work().kind().word());
    out.text("label", facts.origin().label());
    work(out, facts.work());
    out.number("created_at_ms", facts.origin().createdAtMs());
  }

  private static void work(JsonWriter out, TaskView.Work work) {
    switch (work) {
      case TaskView.OfCommand it -> {
        out.text("command", it.line());
        out.text("cwd", it.cwd());
        out.text("on_restart", it.onRestart().word());
        out.bool("stdin", it.stdin());
      }
    }
  }

  private static void progress(JsonWriter out, TaskView view, @Nullable End end) {
    var progress = view.facts().progress();
    var cancel = progress.cancel();
    out.number("attempt", progress.attempts());
    out.numberOrNull("pid", view instanceof TaskView.Running it ? (Long) it.pid() : null);
    EndJson.reasons(out, end);
    out.bool("pipe_held", view.leftovers().pipeHeld());
    out.numbers("survivors", end == null ? List.of() : EndJson.survivors(end));
    if (cancel == null) {
      out.nothing("cancel_requested");
    } else {
      out.object(
          "cancel_requested", it -> it.text("reason", cancel.reason()).text("by", cancel.by()));
    }
    waitingFor(out, view);
    RulingJson.write(out, view.facts().origin().ruling());
  }

  private static void waitingFor(JsonWriter out, TaskView view) {
    if (view instanceof TaskView.Held held) {
      waitingFor(out, held);
    } else {
      out.nothing("waiting_for");
    }
  }

  /** What a task waits for, as {@code waiting_for} or {@code queue}; nothing where it does not. */
  public static void waiting(JsonWriter out, TaskView view) {
    switch (view) {
      case TaskView.Held it -> waitingFor(out, it);
      case TaskView.Queued _ -> queue(out, view);
      case TaskView.Running _, TaskView.Ended _ -> {}
    }
  }

  private static void waitingFor(JsonWriter out, TaskView.Held held) {
    var origin = held.facts().origin();
    out.object(
        "waiting_for",
        it ->
            it.text("kind", APPROVAL)
                .text("text", question(origin.ruling()))
                .number("since_ms", origin.createdAtMs())
                .number("until_ms", held.untilMs()));
  }

  /** What a person is asked of a task that is held. */
  public static String question(@Nullable Ruling ruling) {
    var rule = ruling == null ? "the policy" : ruling.rule();
    var why = ruling == null ? null : ruling.justification();
    return "may it run? " + rule + " asks" + (why == null ? "" : "; its caller says: " + why);
  }

  /** What its process took, as the field {@code usage}. */
  public static void usage(JsonWriter out, TaskView view) {
    var exit = view.exit();
    if (exit == null) {
      out.nothing("usage");
    } else {
      out.object("usage", it -> EndJson.usage(it, exit.usage()));
    }
  }

  private static void grouping(JsonWriter out, TaskView.Facts facts) {
    var grouping = facts.grouping();
    out.text("lane", grouping.lane());
    out.text("priority", grouping.priority().word());
    out.text("batch_id", grouping.batchId());
    out.text("parent_task_id", grouping.parent() == null ? null : grouping.parent().value());
    out.bool("service", grouping.service());
    out.numberOrNull("ready_at_ms", orNull(facts.progress().readyAtMs()));
  }

  /** There only while it seems to wait. */
  private static void prompt(JsonWriter out, TaskView view) {
    if (view instanceof TaskView.Running running && running.prompt() != null) {
      var prompt = running.prompt();
      out.object(
          "prompt",
          it ->
              it.text("text", prompt.snippet())
                  .text("confidence", prompt.confidence())
                  .number("since_ms", prompt.sinceMs()));
    }
  }

  private static void queue(JsonWriter out, TaskView view) {
    if (view instanceof TaskView.Queued queued && queued.place() != null) {
      queue(out, queued.place());
    }
  }

  private static void queue(JsonWriter out, QueuePlace place) {
    var behind = place.behind();
    out.object(
        "queue",
        it -> {
          it.numberOrNull("position", orNull(place.position()))
              .text("reason", place.reason().word())
              .text("behind", behind == null ? null : behind.value())
              .numberOrNull("until_ms", orNull(place.untilMs()));
          ahead(it, place.ahead());
        });
  }

  /** Only what there is: a task that waits for its delay has nothing before it. */
  private static void ahead(JsonWriter out, QueuePlace.Ahead ahead) {
    if (ahead.equals(QueuePlace.Ahead.NOTHING)) {
      return;
    }
    out.object(
        "ahead",
        it -> {
          it.number("count", ahead.count());
          if (ahead.limit() > 0) {
            it.number("limit", ahead.limit());
          }
          if (!ahead.tasks().isEmpty()) {
            it.texts("tasks", ahead.tasks().stream().map(TaskId::value).toList());
          }
          if (ahead.more() > 0) {
            it.number("more", ahead.more());
          }
          if (!ahead.labels().isEmpty()) {
            it.texts("labels", labels(ahead));
          }
        });
  }

  private static Map<String, String> labels(QueuePlace.Ahead ahead) {
    var labels = new TreeMap<String, String>();
    ahead.labels().forEach((task, label) -> labels.put(task.value(), label));
    return labels;
  }

  private static void findings(JsonWriter out, TaskView view) {
    var findings = view.facts().findings();
    var corruptFrom = findings.corruptFrom();
    if (corruptFrom != null) {
      out.number("corrupt_from", corruptFrom);
    } else if (view.end() instanceof End.Corrupt it) {
      out.number("corrupt_from", it.fromSeq());
    }
    if (!findings.escaped().isEmpty()) {
      out.array(
          "escaped",
          array ->
              findings
                  .escaped()
                  .forEach(process ->
                      array.item(
                          it -> it.number("pid", process.pid()).text("name", process.name()))));
    }
  }

  private static @Nullable Long orNull(long value) {
    return value == 0 ? null : value;
  }

  /** The word of a task whose process is there. */
  static String running() {
    return StatusWord.RUNNING.word();
  }
}
