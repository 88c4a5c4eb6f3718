package dev.errand.daemon.tool.task;

import dev.errand.core.task.TaskView;
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
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** {@code task_spawn}: starts something in the background. */
final class SpawnTool implements Tool {
  private static final String TASK = "task";
  private static final int TASK_CHARS_MAX = 100_000;

  /** Of use to an agent only. */
  private static final List<String> OF_AGENTS = List.of("context", "model", "thinking");

  private static final Schema ARGUMENTS =
      CommandFields.arguments(
          Schema.object()
              .text(TASK, "what it is for; with command: shown as its title")
              .text("context", "for agents: what they should know")
              .text("model", "for agents: the model to use")
              .words("thinking", "for agents", List.of("off", "low", "medium", "high")));

  private final ToolSpawns spawns;

  SpawnTool(Verbs verbs) {
    this.spawns = new ToolSpawns(verbs);
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_spawn",
        Toolset.TASKS,
        "Spawn a background task",
        "Starts a command in the background and returns at once with its task_id. It survives"
            + " restarts; you are told when it ends. Fetch its result with task_join.",
        ARGUMENTS.json(),
        Annotations.ADDS);
  }

  @Override
  public Optional<String> starts(ObjectNode arguments) {
    return Optional.of(CommandFields.TOOL);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var body = spawns.wanted(call, CommandFields.TOOL, () -> body(call));
    return answer(spawns.spawn(call, body));
  }

  private static ObjectNode body(ToolCall call) {
    var fields = call.fields(ARGUMENTS.names());
    var task = fields.text(TASK, TASK_CHARS_MAX);
    var isForAgent = OF_AGENTS.stream().anyMatch(fields::has);
    if (!fields.has(CommandFields.COMMAND) || isForAgent) {
      throw RequestFields.invalid(
          "no agent is configured here, so task, context, model and thinking alone start nothing;"
              + " give command: a command line to run in the background");
    }
    return CommandFields.body(call, fields, task == null ? "" : task.strip());
  }

  private static ToolResult answer(TaskView view) {
    var sheet = new TaskSheet(view);
    var node = TaskJson.head(sheet);
    if (sheet.view() instanceof TaskView.Held) {
      node.put("held", true);
      return ToolResult.of(node, "Task " + sheet.id() + " waits until a person approves it.");
    }
    return ToolResult.of(
        node,
        "Task %s spawned. You are told when it ends; task_join(task_id: \"%s\") waits for it."
            .formatted(sheet.id(), sheet.id()));
  }
}
