package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.Toolset;
import java.util.List;

/** {@code task_kill}: ends a task, and answers when all of it is dead. */
final class KillTool implements Tool {
  private static final String REASON = "reason";
  private static final int REASON_CHARS_MAX = 1_000;

  private static final Schema ARGUMENTS = Selection.schema().text(REASON, "why it is ended");

  private final ToolServices services;
  private final TaskReader reader;

  KillTool(ToolServices services, TaskReader reader) {
    this.services = services;
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
        Annotations.ENDS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var chosen = new Selection(services).toControl(call, fields);
    var reason = fields.text(REASON, REASON_CHARS_MAX);
    var over =
        new Ending(services)
            .end(call, List.of(chosen), reason == null || reason.isBlank() ? "task_kill" : reason);
    var row = reader.row(chosen.id());
    var sheet = reader.sheet(row);
    services.noteRead(row, call);
    var json = new TaskJson(reader);
    var node = json.outcome(sheet, "partial_result").put("timed_out", !over);
    var note = over ? "" : "\nIt is asked to end, and is not dead yet.";
    return ToolResult.of(node, json.line(sheet) + note);
  }
}
