package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.SignalTask;
import dev.errand.daemon.verb.Verbs;

/** {@code tool.task_signal}: sends a signal to a task's processes. */
final class SignalTool implements Tool {
  private static final Schema ARGUMENTS =
      Schema.object()
          .task()
          .words(SignalTask.SIGNAL, "with or without SIG before it", SignalTask.NAMES)
          .required(SignalTask.SIGNAL);

  private final Verbs verbs;
  private final StatusResult status;

  SignalTool(Verbs verbs, StatusResult status) {
    this.verbs = verbs;
    this.status = status;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "task_signal",
        Toolset.TASKS,
        "Signal a task",
        "Send a signal to all processes of a running task. Returns its status when it is sent"
            + " and recorded.",
        ARGUMENTS.json(),
        new Annotations(false, true, false, false));
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var id = fields.requiredText(Schema.TASK_ID, VerbTools.ID_CHARS_MAX);
    var taskId = verbs.status().find().byId(call.ask(), id).id();
    var request = SignalTask.Request.read(taskId, fields);
    var view = verbs.tasks().signal().run(call.ask(), request);
    return status.of(view, "sent " + request.signal() + " to " + taskId);
  }
}
