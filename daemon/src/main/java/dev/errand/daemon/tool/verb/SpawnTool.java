package dev.errand.daemon.tool.verb;

import dev.errand.core.task.TaskView;
import dev.errand.core.time.Time;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolSpawns;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.SpawnFields;
import dev.errand.wire.json.StatusWriter;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code tool.task_spawn}: starts a task; takes what {@code POST /tasks} takes. */
final class SpawnTool implements Tool {
  private static final Schema ARGUMENTS = Schema.object().fields(SpawnFields.FORM.fields());

  private final ToolSpawns spawns;
  private final Time clock;

  SpawnTool(Verbs verbs, Time clock) {
    this.spawns = new ToolSpawns(verbs);
    this.clock = clock;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "task_spawn",
        Toolset.TASKS,
        "Start a task",
        "Start a command in the background as a task that outlives this call; returns its task_id"
            + " at once. Follow it with tool_task_status or tool_task_stream_events.",
        ARGUMENTS.json(),
        Annotations.RUNS);
  }

  @Override
  public Optional<String> starts(ObjectNode arguments) {
    return Optional.of(arguments.path("tool").stringValue(""));
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var task = spawns.spawn(call, call.arguments());
    var view = spawns.placed(call, task);
    var node = JsonNodeFactory.instance.objectNode().put("task_id", view.id().value());
    var sheet = new TaskSheet(view);
    node.setAll(JsonWriter.tree(out -> StatusWriter.waiting(out, view)));
    if (view instanceof TaskView.Held) {
      node.put("held", true);
      return ToolResult.of(node, sheet.name() + " " + sheet.waitText(clock.millis()));
    }
    var note = ToolSpawns.folderNote(task);
    return ToolResult.of(
        node,
        "%s is accepted%s; tool_task_status(task_id: \"%s\") shows how it stands%s"
            .formatted(
                sheet.name(),
                sheet.waitsForSomething() ? " and " + sheet.waitText(clock.millis()) : "",
                sheet.shortId(),
                note.isEmpty() ? "" : "\n" + note));
  }
}
