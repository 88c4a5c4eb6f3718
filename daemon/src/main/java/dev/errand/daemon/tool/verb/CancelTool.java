package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.CancelTask;
import dev.errand.daemon.verb.Verbs;
import java.time.Duration;

/** {@code tool.task_cancel}: asks for the end of a task. */
final class CancelTool implements Tool {
  private static final Schema ARGUMENTS =
      Schema.object().task().text(CancelTask.REASON, "why; it is recorded");

  private final Verbs verbs;
  private final StatusResult status;

  CancelTool(Verbs verbs, StatusResult status) {
    this.verbs = verbs;
    this.status = status;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "task_cancel",
        Toolset.TASKS,
        "Cancel a task",
        "End a task and all its processes: TERM first, KILL after its grace time. Returns its"
            + " status when that is recorded and the first signal is sent. What is over stays as it"
            + " is, but processes that it was allowed to leave are ended.",
        ARGUMENTS.json(),
        Annotations.ENDS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var id = fields.requiredText(Schema.TASK_ID, VerbTools.ID_CHARS_MAX);
    var taskId = verbs.status().find().byId(call.ask(), id).id();
    var request = CancelTask.Request.read(taskId, fields, Duration.ZERO);
    return status.of(verbs.tasks().cancel().run(call.ask(), request));
  }
}
