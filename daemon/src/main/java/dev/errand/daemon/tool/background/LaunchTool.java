package dev.errand.daemon.tool.background;

import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolSpawns;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.CommandFields;
import dev.errand.daemon.tool.task.SpawnWait;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.BackgroundText;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** {@code background_task}: launches something and returns at once. */
final class LaunchTool implements Tool {
  private static final String DESCRIPTION = "description";
  private static final int DESCRIPTION_CHARS_MAX = 1_000;
  private static final String OWN_BATCH = "batch_";
  private static final int RUNNING_MAX = 100;
  private static final List<String> OF_AGENTS = List.of("prompt", "agent", "resume");

  private static final Schema LEAN =
      CommandFields.lean(
          Schema.object()
              .brief(DESCRIPTION, "string", "what it is for, in a few words")
              .required(DESCRIPTION));

  private static final Schema ARGUMENTS =
      CommandFields.arguments(
          Schema.object()
              .text(DESCRIPTION, "in a few words what it is for")
              .required(DESCRIPTION)
              .text("prompt", "for agents: what to do")
              .text("agent", "for agents: which one")
              .text("resume", "for agents: the task to go on with"));

  private final ToolSpawns spawns;
  private final SpawnWait wait;
  private final TaskReader reader;

  LaunchTool(Verbs verbs, TaskReader reader) {
    this.spawns = new ToolSpawns(verbs);
    this.wait = new SpawnWait(verbs, reader);
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "background_task",
        Toolset.BACKGROUND,
        "Launch a background task",
        "Launches a command in the background and returns at once with its id. You are told when"
            + " it ends; background_output shows how it stands and what came of it.",
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
    var batchId = body.hasNonNull(Schema.BATCH_ID) ? null : batchId(call);
    var patience = SpawnWait.patience(call, call.fields(ARGUMENTS.names()));
    var accepted = spawns.spawn(call, body, it -> tellingAll(inBatch(batchId, it)));
    var note = ToolSpawns.folderNote(accepted);
    var task = wait.after(call, accepted.view(), patience);
    if (task != null) {
      return answer(call, task).noting(note);
    }
    var sheet = new TaskSheet(spawns.placed(call, accepted));
    var text = BackgroundText.launched(sheet, CommandFields.tells(body), reader.nowMs());
    return ToolResult.of(RecordJson.launched(sheet), text).noting(note);
  }

  /** After a wait: its result, or how far it is. */
  private ToolResult answer(ToolCall call, ShownTask task) throws InterruptedException {
    var sheet = new TaskSheet(task.view());
    var json = new RecordJson(reader);
    if (!sheet.isOver()) {
      var line = reader.lastLine(call, sheet);
      return ToolResult.of(
          json.brief(call, task, task.readAtMs()),
          BackgroundText.status(sheet, line, reader.nowMs()) + "\n\n" + wait.progress(call, sheet));
    }
    var written = reader.written(call, sheet, call.form().outputChars());
    var text = BackgroundText.result(sheet, TaskReader.result(sheet, written), reader.nowMs());
    var record = json.of(call, task, reader.nowMs(), written);
    return new ToolResult(record, text, !sheet.endedWell());
  }

  private static ObjectNode body(ToolCall call) {
    var fields = call.fields(ARGUMENTS.names());
    if (!fields.has(CommandFields.COMMAND) || OF_AGENTS.stream().anyMatch(fields::has)) {
      throw RequestFields.invalid(
          "no agent is configured here, so prompt, agent and resume start nothing; give command:"
              + " a command line to run in the background");
    }
    var description = fields.requiredText(DESCRIPTION, DESCRIPTION_CHARS_MAX).strip();
    return CommandFields.body(call, fields, description);
  }

  /** What is launched while something of ours runs belongs with it. */
  private static TaskSpec inBatch(@Nullable String batchId, TaskSpec spec) {
    return batchId == null ? spec : spec.planned(spec.plan().inBatch(batchId));
  }

  private String batchId(ToolCall call) throws InterruptedException {
    return reader.list(call, ListTasks.Filter.any(true), RUNNING_MAX).stream()
        .map((ShownTask it) -> it.view().facts().grouping().batchId())
        .filter(Objects::nonNull)
        .filter(it -> it.startsWith(OWN_BATCH))
        .findFirst()
        .orElseGet(() -> OWN_BATCH + reader.nowMs());
  }

  /** Who launches so is given the result with the notice, and need not ask for it. */
  private static TaskSpec tellingAll(TaskSpec spec) {
    return spec.attending(spec.watching().tellingAll());
  }
}
