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
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.json.StatusWriter;
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

  private static final Schema LEAN =
      CommandFields.lean(Schema.object().brief(TASK, "string", "what it is for, in a few words"));

  private final ToolSpawns spawns;
  private final SpawnWait wait;
  private final TaskReader reader;

  SpawnTool(Verbs verbs, TaskReader reader) {
    this.spawns = new ToolSpawns(verbs);
    this.wait = new SpawnWait(verbs, reader);
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_spawn",
        Toolset.TASKS,
        "Spawn a background task",
        "Starts a command in the background and returns its task_id, with its result if it ends"
            + " within wait_ms. It survives restarts; you are told when it ends.",
        ARGUMENTS.json(),
        LEAN.json(),
        Annotations.RUNS);
  }

  @Override
  public Optional<String> starts(ObjectNode arguments) {
    return Optional.of(CommandFields.TOOL);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var body = spawns.wanted(call, CommandFields.TOOL, () -> body(call));
    var patience = SpawnWait.patience(call, call.fields(ARGUMENTS.names()));
    var accepted = spawns.spawn(call, body);
    var task = wait.after(call, accepted.view(), patience);
    var result =
        task == null
            ? accepted(spawns.placed(call, accepted), CommandFields.tells(body))
            : answer(call, task);
    return result.noting(ToolSpawns.folderNote(accepted));
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

  private ToolResult accepted(TaskView view, boolean tells) {
    var sheet = new TaskSheet(view);
    var node = TaskJson.head(sheet);
    node.setAll(JsonWriter.tree(out -> StatusWriter.waiting(out, view)));
    if (view instanceof TaskView.Held) {
      node.put("held", true);
    }
    var told = tells ? "You are told when it ends; " : "";
    return ToolResult.of(
        node,
        "Task %s %s. %stask_wait(task_id: \"%s\") waits for it."
            .formatted(
                sheet.name(),
                sheet.waitsForSomething() ? sheet.state(reader.nowMs()) : sheet.taskWord(),
                told,
                sheet.shortId()));
  }

  /** After a wait: its result, or how far it is. */
  private ToolResult answer(ToolCall call, ShownTask task) throws InterruptedException {
    var sheet = new TaskSheet(task.view());
    var json = new TaskJson(reader);
    if (sheet.isOver()) {
      var written = reader.written(call, sheet, call.form().outputChars());
      return new ToolResult(
          json.outcome(sheet, "result", written),
          json.line(sheet) + "\n" + written,
          !sheet.endedWell());
    }
    var progress = wait.progress(call, sheet);
    return ToolResult.of(json.summary(call, task, sheet), json.line(sheet) + "\n" + progress);
  }
}
