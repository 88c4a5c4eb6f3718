package dev.errand.daemon.tool.background;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.RemoveTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code background_clear}: removes what is over, and leaves alone what runs. */
final class ClearTool implements Tool {
  private static final ListTasks.Filter ENDED = ListTasks.Filter.any(false);
  private static final Schema ARGUMENTS = Schema.object().session();

  /** One call removes as many; whoever has more calls again, and is told so. */
  private static final int CLEARED_MAX = 1_000;

  private final Verbs verbs;
  private final TaskReader reader;

  ClearTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "background_clear",
        Toolset.BACKGROUND,
        "Clear ended tasks away",
        "Removes the ended tasks of your session for good, with their results and logs. What runs"
            + " or waits goes on.",
        ARGUMENTS.json(),
        Annotations.ENDS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    call.fields(ARGUMENTS.names());
    var ended = reader.list(call, ENDED, CLEARED_MAX);
    var cleared = 0L;
    for (var task : ended) {
      cleared += clear(call, task) ? 1 : 0;
    }
    var running = new Counts();
    var _ = reader.each(call, ListTasks.Filter.any(true), running::add);
    var left = reader.list(call, ENDED, CLEARED_MAX).size();
    var answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("cleared", cleared)
            .put("running", running.total())
            .put("left", left);
    return ToolResult.of(
        answer,
        "Cleared %d tasks; %d run on.%s".formatted(cleared, running.total(), rest(cleared, left)));
  }

  private static String rest(long cleared, int left) {
    if (left == 0) {
      return "";
    }
    return cleared == CLEARED_MAX
        ? " There are more that have ended: call it again."
        : " %d that have ended are not yours to clear.".formatted(left);
  }

  /** False where it is not the caller's to remove, or someone was quicker. */
  private boolean clear(ToolCall call, ShownTask task) throws InterruptedException {
    try {
      var step = call.ask().step(task.id().value());
      verbs.tasks().remove().run(step, new RemoveTask.Request(task.id(), "cleared away"));
      return true;
    } catch (ErrandException e) {
      if (e.code() == ErrorCode.FORBIDDEN
          || e.code() == ErrorCode.TASK_NOT_FOUND
          || e.code() == ErrorCode.TASK_REMOVED) {
        return false;
      }
      throw e;
    }
  }
}
