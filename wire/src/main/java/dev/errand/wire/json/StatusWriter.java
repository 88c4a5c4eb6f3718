package dev.errand.wire.json;

import dev.errand.core.task.End;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status object of a task: a pure function of its folded state. */
final class StatusWriter {
  static final String QUEUED = "queued";
  static final String RUNNING = "running";
  private static final String APPROVAL = "approval";

  private StatusWriter() {}

  static String word(TaskState.Present state) {
    return switch (state) {
      case TaskState.Held _, TaskState.Queued _, TaskState.Claimed _ -> QUEUED;
      case TaskState.Running _ -> RUNNING;
      case TaskState.Ended it -> EndJson.status(it.end());
    };
  }

  static void write(JsonWriter out, TaskId taskId, TaskState.Present state, long lastSeq) {
    var end = state instanceof TaskState.Ended ended ? ended.end() : null;
    result(out, taskId, state, end);
    request(out, state.known());
    progress(out, state, end);
    out.number("last_seq", lastSeq);
    usage(out, end);
    place(out, state.known());
    EndJson.leftovers(out, end);
    prompt(out, state);
  }

  /** There only while it seems to wait. */
  private static void prompt(JsonWriter out, TaskState.Present state) {
    var prompt = state.known().attended().prompt();
    if (prompt != null && state instanceof TaskState.Running) {
      out.object(
          "prompt",
          it ->
              it.text("text", prompt.snippet())
                  .text("confidence", prompt.confidence())
                  .number("since_ms", prompt.sinceMs()));
    }
  }

  private static void place(JsonWriter out, TaskState.Known known) {
    var plan = known.spec().plan();
    out.text("lane", plan.lane());
    out.text("priority", plan.priority().word());
    out.text("batch_id", plan.batchId());
    out.text("parent_task_id", plan.parent() == null ? null : plan.parent().value());
    out.bool("service", plan.service());
    var ready = known.attended();
    out.numberOrNull("ready_at_ms", ready.isReady() ? (Long) ready.readyAtMs() : null);
  }

  private static void usage(JsonWriter out, @Nullable End end) {
    var exit = end == null ? null : end.exit();
    if (exit == null) {
      out.nothing("usage");
    } else {
      out.object("usage", it -> EndJson.usage(it, exit.usage()));
    }
  }

  private static void result(
      JsonWriter out, TaskId taskId, TaskState.Present state, @Nullable End end) {
    var spec = state.known().spec();
    var exit = end == null ? null : end.exit();
    out.text("task_id", taskId.value());
    out.text("status", word(state));
    out.text("tool", spec.work().toolName());
    out.text("title", spec.origin().title());
    out.text("execution_mode", spec.io().mode().word());
    SpecJson.size(out, state.known().terminal());
    out.numberOrNull("exit_code", exit == null ? null : (Long) (long) exit.code());
    out.numberOrNull("started_at_ms", startedAt(state));
    out.numberOrNull("ended_at_ms", end == null ? null : (Long) end.atMs());
    LogsJson.write(out, taskId, state.known().logs());
    out.text("error", end == null ? null : EndJson.error(end));
    out.text("signal", exit == null ? null : exit.signal());
  }

  /** A task that waits for its next attempt has not started, whatever became of the last one. */
  private static @Nullable Long startedAt(TaskState.Present state) {
    var known = state.known();
    return switch (state) {
      case TaskState.Held _, TaskState.Queued _, TaskState.Claimed _ -> null;
      case TaskState.Running _, TaskState.Ended _ ->
          known.everStarted() ? (Long) known.startedAtMs() : null;
    };
  }

  private static void request(JsonWriter out, TaskState.Known known) {
    TaskSpec spec = known.spec();
    out.text("session_id", spec.origin().sessionId().value());
    out.text("kind", SpecJson.COMMAND);
    out.text("label", spec.origin().label());
    out.text("command", spec.work().invocation().commandLine());
    out.text("cwd", spec.work().cwd());
    out.text("on_restart", spec.onRestart().word());
    out.bool("stdin", spec.io().stdin());
    out.number("created_at_ms", known.spawnedAtMs());
  }

  private static void progress(JsonWriter out, TaskState.Present state, @Nullable End end) {
    var cancel = state.known().cancel();
    out.number("attempt", state.known().attempts());
    out.numberOrNull(
        "pid", state instanceof TaskState.Running it ? (Long) it.process().pid() : null);
    EndJson.reasons(out, end);
    var exit = end == null ? null : end.exit();
    out.bool("pipe_held", exit != null && exit.leftovers().pipeHeld());
    out.numbers("survivors", end == null ? List.of() : EndJson.survivors(end));
    if (cancel == null) {
      out.nothing("cancel_requested");
    } else {
      out.object(
          "cancel_requested", it -> it.text("reason", cancel.reason()).text("by", cancel.by()));
    }
    waitingFor(out, state);
    RulingJson.write(out, state.known().spec().ruling());
  }

  private static void waitingFor(JsonWriter out, TaskState.Present state) {
    if (!(state instanceof TaskState.Held held)) {
      out.nothing("waiting_for");
      return;
    }
    out.object(
        "waiting_for",
        it ->
            it.text("kind", APPROVAL)
                .text("text", question(held.known().spec().ruling()))
                .number("since_ms", held.known().spawnedAtMs())
                .number("until_ms", held.untilMs()));
  }

  private static String question(@Nullable Ruling ruling) {
    var rule = ruling == null ? "the policy" : ruling.rule();
    var why = ruling == null ? null : ruling.justification();
    return "may it run? " + rule + " asks" + (why == null ? "" : "; its caller says: " + why);
  }
}
