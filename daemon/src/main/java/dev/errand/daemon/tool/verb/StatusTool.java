package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.Verbs;

/** {@code tool.task_status}: how a task stands. */
final class StatusTool implements Tool {
  private static final Schema ARGUMENTS = Schema.object().task();

  private final Verbs verbs;
  private final StatusResult status;

  StatusTool(Verbs verbs, StatusResult status) {
    this.verbs = verbs;
    this.status = status;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "task_status",
        Toolset.TASKS,
        "Status of a task",
        "How a task stands: its status, exit code, times, logs and why it ended. Returns at once.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) {
    var fields = call.fields(ARGUMENTS.names());
    var id = fields.requiredText(Schema.TASK_ID, VerbTools.ID_CHARS_MAX);
    return status.of(verbs.status().find().showById(call.ask(), id));
  }
}
