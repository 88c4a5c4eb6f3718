package dev.errand.daemon.tool.shell;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.wire.json.RequestFields;
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

  private static final String HELD = "it waits for a person's approval; poll it with its run_id";

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

  private final ToolServices services;
  private final RunViews views;
  private final Supplier<Duration> foreground;

  Launching(ToolServices services, RunViews views, Supplier<Duration> foreground) {
    this.services = services;
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
              if (fields.bool("background", false)) {
                throw RequestFields.invalid("background goes with action=spawn; add it");
              }
              return body(call, fields);
            });
    return once(call, body, timeout);
  }

  /** What a call asks for; that it cannot be read is on record then. */
  <T extends @Nullable Object> T wanted(ToolCall call, Supplier<T> reading) {
    return services.spawning().wanted(call, TOOL, reading);
  }

  /** The same for what this body asks for. */
  ToolResult once(ToolCall call, ObjectNode body, @Nullable Duration timeout)
      throws InterruptedException {
    var taskId = services.spawning().spawn(call, body, Launching::foreground).id();
    var patience = timeout == null ? foreground.get() : timeout.plus(END_WAIT);
    if (!awaitEnd(call, taskId, patience) && isLive(taskId)) {
      return left(taskId);
    }
    return new OneShot(services, views).result(call, taskId);
  }

  /** Nobody queues behind it. */
  private static TaskSpec foreground(TaskSpec spec) {
    return spec.planned(spec.plan().inLane(null));
  }

  private boolean isLive(TaskId taskId) {
    return services.tasks().engine().snapshot(taskId).state() instanceof TaskState.Live;
  }

  ToolResult spawn(ToolCall call, RequestFields fields) throws InterruptedException {
    var background = wanted(call, () -> fields.bool("background", true));
    var body = wanted(call, () -> inLane(body(call, fields), fields)).put("on_restart", "requeue");
    var accepted = services.spawning().spawn(call, body);
    if (background) {
      return accepted(accepted);
    }
    var over = awaitEnd(call, accepted.id(), foreground.get());
    return waitedFor(call, accepted, over);
  }

  private ToolResult waitedFor(ToolCall call, TaskView accepted, boolean over) {
    var row = services.tasks().views().rowOf(accepted.id());
    var view = views.view(row);
    var node = RunViews.accepted(accepted, false);
    node.setAll(views.head(row, view));
    var snippet = views.snippet(row.id());
    node.put("snippet", snippet);
    if (over) {
      services.noteRead(row, call);
    } else {
      node.put("note", note(row.id()));
    }
    var text = RunViews.line(view) + "\n" + (over ? "" : note(row.id()) + "\n") + snippet;
    return new ToolResult(node, text, over && !view.isSuccess());
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

  private boolean awaitEnd(ToolCall call, TaskId taskId, Duration patience)
      throws InterruptedException {
    if (isHeld(taskId)) {
      return false;
    }
    try (var _ = call.ask().slot()) {
      return services.tasks().tasks().awaitEnd(taskId, patience);
    }
  }

  private boolean isHeld(TaskId taskId) {
    return services.tasks().engine().snapshot(taskId).state() instanceof TaskState.Held;
  }

  private ToolResult left(TaskId taskId) {
    var row = services.tasks().views().rowOf(taskId);
    var view = views.view(row);
    var head = views.head(row, view);
    head.put("note", note(taskId));
    head.put("snippet", views.snippet(taskId));
    return ToolResult.of(head, RunViews.line(view) + "\n" + note(taskId));
  }

  /** Of a run that is not waited for any more. */
  private String note(TaskId taskId) {
    return isHeld(taskId)
        ? HELD
        : "it goes on in the background after %d s of waiting; you are told when it ends, or poll it with its run_id"
            .formatted(foreground.get().toSeconds());
  }

  private static ToolResult accepted(TaskView view) {
    var node = RunViews.accepted(view, true);
    var line = RunViews.accepted(view);
    return view instanceof TaskView.Held
        ? ToolResult.of(node.put("note", HELD), line + "; " + HELD)
        : ToolResult.of(node, line);
  }
}
