package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.CancelTask;
import dev.errand.daemon.verb.Verbs;
import java.time.Duration;

/** {@code task_kill}: ends a task, and answers when all of it is dead. */
final class KillTool implements Tool {
  private static final String REASON = "reason";
  private static final int REASON_CHARS_MAX = 1_000;

  /** Longer than a task has from the first signal to the last, unless it was given more. */
  private static final Duration PROOF_TIME = Duration.ofSeconds(30);

  private static final Schema ARGUMENTS =
      Selection.schema().text(REASON, "why it is ended").maxChars();

  private static final Schema LEAN =
      Selection.lean().brief(REASON, "string", "why; it is recorded");

  private final Verbs verbs;
  private final TaskReader reader;

  KillTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_kill",
        Toolset.TASKS,
        "End a task",
        "Ends a task with all its processes, TERM first, and answers when they are dead. What it"
            + " wrote until then is kept. A task that is over stays as it is, but processes that it was"
            + " allowed to leave are ended.",
        ARGUMENTS.json(),
        LEAN.json(),
        Annotations.ENDS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var chosen = new Selection(verbs).one(call, fields);
    var given = fields.text(REASON, REASON_CHARS_MAX);
    var reason = given == null || given.isBlank() ? "task_kill" : given;
    var request = new CancelTask.Request(chosen.id(), reason, PROOF_TIME);
    var sheet = new TaskSheet(verbs.tasks().cancel().run(call.ask(), request));
    var over = sheet.isOver();
    var json = new TaskJson(reader);
    var output = reader.written(call, sheet, call.form().outputChars());
    var node = json.outcome(sheet, "partial_result", output).put("timed_out", !over);
    var note = over ? "" : "\nIt is not dead yet: task_wait(task_id: \"" + sheet.shortId() + "\").";
    return ToolResult.of(node, json.line(sheet) + note + (output.isEmpty() ? "" : "\n" + output));
  }
}
