package dev.errand.daemon.tool.shell;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolSpawns;
import dev.errand.daemon.tool.task.CommandFields;
import dev.errand.daemon.tool.task.SpawnWait;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForTask;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.json.StatusWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Starts commands, and waits for them in the foreground. */
final class Launching {
  static final String TOOL = "shell";
  private static final String LANE = "shell";

  private static final String HELD = "it waits for a person's approval";
  private static final String ON = "it goes on in the background";

  /** What an end may take behind the timeout: the grace, the drain, and writing it down. */
  private static final Duration END_WAIT = Duration.ofMinutes(1);

  /** Handed to the spawn as they came. */
  private static final List<String> PASSED_ON =
      List.of(
          "max_output_bytes",
          "notify",
          "watch",
          "label",
          "service",
          "ready_when",
          "batch_id",
          "justification");

  private final Verbs verbs;
  private final ToolSpawns spawns;
  private final RunViews views;
  private final Supplier<Duration> foreground;

  Launching(Verbs verbs, RunViews views, Supplier<Duration> foreground) {
    this.verbs = verbs;
    this.spawns = new ToolSpawns(verbs);
    this.views = views;
    this.foreground = foreground;
  }

  /** Runs a command and answers with what it wrote; one that takes too long is left running. */
  ToolResult once(ToolCall call, RequestFields fields) throws InterruptedException {
    var timeout = wanted(call, () -> timeout(fields));
    var body =
        wanted(
            call,
            () -> {
              for (var name : List.of("background", ShellTool.WAIT_MS)) {
                if (fields.has(name)) {
                  throw RequestFields.invalid(name + " goes with action=spawn; add it");
                }
              }
              return body(call, fields);
            });
    return once(call, body, timeout);
  }

  /** What a call asks for; that it cannot be read is on record then. */
  <T extends @Nullable Object> T wanted(ToolCall call, Supplier<T> reading) {
    return spawns.wanted(call, TOOL, reading);
  }

  /** The same for what this body asks for. */
  ToolResult once(ToolCall call, ObjectNode body, @Nullable Duration timeout)
      throws InterruptedException {
    var accepted = spawns.spawn(call, body, Launching::foreground);
    var taskId = accepted.id();
    var patience = timeout == null ? foreground.get() : timeout.plus(END_WAIT);
    try {
      var task = awaited(call, taskId, patience);
      var result = task.isOver() ? new OneShot(views).result(call, task) : left(call, task);
      return result.noting(ToolSpawns.folderNote(accepted));
    } finally {
      spawns.callEnded(taskId);
    }
  }

  /** It needs no lane and no quota while the call waits for it. */
  private static TaskSpec foreground(TaskSpec spec) {
    return spec.planned(spec.plan().inLane(null).waitedFor());
  }

  ToolResult spawn(ToolCall call, RequestFields fields) throws InterruptedException {
    var background = wanted(call, () -> fields.bool("background", true));
    var body = wanted(call, () -> inLane(body(call, fields), fields)).put("on_restart", "requeue");
    var patience = wanted(call, () -> SpawnWait.patience(call, fields));
    var spawned = spawns.spawn(call, body);
    var accepted = spawned.view();
    var note = ToolSpawns.folderNote(spawned);
    if (background && (patience.isZero() || accepted instanceof TaskView.Held)) {
      return accepted(spawns.placed(call, spawned), CommandFields.tells(body)).noting(note);
    }
    var longest = background ? patience : foreground.get();
    var task = awaited(call, accepted.id(), longest);
    return waitedFor(call, accepted, task, background).noting(note);
  }

  private ToolResult waitedFor(ToolCall call, TaskView accepted, ShownTask task, boolean background)
      throws InterruptedException {
    if (task.isOver()) {
      var result = new OneShot(views).result(call, task);
      var node = RunViews.accepted(accepted, background);
      node.setAll(result.structured());
      return new ToolResult(node, result.text(), result.isError());
    }
    var left = left(call, task);
    var node = RunViews.accepted(accepted, background);
    node.setAll(left.structured());
    return ToolResult.of(node, left.text());
  }

  private static ObjectNode inLane(ObjectNode body, RequestFields fields) {
    var lane = fields.text("lane", 64);
    return lane == null || !lane.isEmpty() ? body.put("lane", lane == null ? LANE : lane) : body;
  }

  private ObjectNode body(ToolCall call, RequestFields fields) {
    // Read to be held to its type: whoever asks for something cannot approve it as well.
    var _ = fields.bool("approved", false);
    var command = fields.requiredText("command", Integer.MAX_VALUE);
    var body = JsonNodeFactory.instance.objectNode().put("tool", TOOL);
    var args = body.putObject("args").put("command", command);
    if (fields.has("cwd")) {
      args.put("cwd", fields.text("cwd", Integer.MAX_VALUE));
    }
    body.put(Schema.SESSION_ID, call.session().value());
    body.put("max_output_bytes", Run.SHOWN_BYTES_DEFAULT);
    if (fields.bool("pty", false)) {
      body.put("execution_mode", "pty");
    }
    var timeout = timeout(fields);
    if (timeout != null) {
      body.put("timeout_secs", BigDecimal.valueOf(timeout.toMillis(), 3));
    }
    for (var name : PASSED_ON) {
      if (fields.has(name)) {
        body.set(name, fields.raw(name));
      }
    }
    return body;
  }

  /** A second at least: less would end it before it can begin. */
  private static @Nullable Duration timeout(RequestFields fields) {
    var given = fields.timeout("timeout_secs", Duration.ZERO);
    return given != null && given.compareTo(Duration.ofSeconds(1)) < 0
        ? Duration.ofSeconds(1)
        : given;
  }

  /**
   * The run when it is over, or how it stands when that was waited for so long. One that waits for
   * a person is not waited for.
   */
  private ShownTask awaited(ToolCall call, TaskId taskId, Duration patience)
      throws InterruptedException {
    var now = verbs.status().find().byId(call.ask(), taskId.value());
    if (now.view() instanceof TaskView.Held) {
      return now;
    }
    var request = WaitForTask.Request.forEnd(taskId, patience);
    try {
      return verbs.status().await().run(call.ask(), request).task();
    } catch (ErrandException e) {
      if (e.code() == ErrorCode.LIMIT_EXCEEDED) {
        // Too many calls wait. The command runs, so this one is answered without waiting.
        return now;
      }
      throw e;
    }
  }

  /** Of a run that is not waited for any more: how it stands, and what it wrote so far. */
  private ToolResult left(ToolCall call, ShownTask task) throws InterruptedException {
    var view = task.view();
    var run = views.run(call.ask(), task.id());
    var node = views.head(task, run);
    var note = view instanceof TaskView.Held ? HELD : ON;
    var snippet = views.snippet(call.ask(), task.id());
    node.put("note", note).put("snippet", snippet).put("next_seq", run.frames().lastSeq());
    return ToolResult.of(
        node, Looking.joined(views.line(view), snippet, "[" + note + "; " + poll(view) + "]"));
  }

  private static String poll(TaskView view) {
    return "shell(action: \"poll\", run_id: \"%s\")".formatted(view.id().brief());
  }

  private ToolResult accepted(TaskView view, boolean tells) {
    var node = RunViews.accepted(view, true);
    node.setAll(JsonWriter.tree(out -> StatusWriter.waiting(out, view)));
    var line = views.acceptedLine(view);
    var told = tells ? "you are told when it ends; " : "";
    return view instanceof TaskView.Held
        ? ToolResult.of(node.put("note", HELD), line + "; " + poll(view))
        : ToolResult.of(node, line + "; " + told + poll(view));
  }
}
