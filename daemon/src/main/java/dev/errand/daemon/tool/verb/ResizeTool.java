package dev.errand.daemon.tool.verb;

import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.ResizeTerminal;
import dev.errand.daemon.verb.Verbs;

/** {@code tool.task_resize}: gives a terminal another size. */
final class ResizeTool implements Tool {
  private static final Schema ARGUMENTS =
      Schema.object()
          .task()
          .integer("rows", "lines", TerminalSize.MIN, TerminalSize.MAX)
          .integer("cols", "columns", TerminalSize.MIN, TerminalSize.MAX)
          .required("rows", "cols");

  private final Verbs verbs;
  private final StatusResult status;

  ResizeTool(Verbs verbs, StatusResult status) {
    this.verbs = verbs;
    this.status = status;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "task_resize",
        Toolset.TERMINAL,
        "Resize a terminal",
        "Give the terminal of a running task another size. Returns its status when it has it.",
        ARGUMENTS.json(),
        Annotations.SETS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var id = fields.requiredText(Schema.TASK_ID, VerbTools.ID_CHARS_MAX);
    var taskId = verbs.status().find().byId(call.ask(), id).id();
    var request = ResizeTerminal.Request.read(taskId, fields);
    var size = request.size();
    var view = verbs.tasks().resize().run(call.ask(), request);
    return status.of(
        view,
        "the terminal of %s has %d rows and %d columns"
            .formatted(taskId, size.rows(), size.cols()));
  }
}
