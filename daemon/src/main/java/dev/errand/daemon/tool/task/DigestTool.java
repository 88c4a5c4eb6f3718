package dev.errand.daemon.tool.task;

import dev.errand.core.task.TaskView;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.text.TaskDigest;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.SummarizeSession;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code task_digest}: a short text of all tasks, for an agent that has lost its context. */
final class DigestTool implements Tool {
  private static final int ACTIVE_MAX = 100;
  private static final int ENDED_MAX = 10;
  private static final int COMMAND_CHARS_MAX = 200;

  private static final Schema ARGUMENTS = Schema.object().maxChars().session();

  private final Verbs verbs;
  private final TaskReader reader;

  DigestTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_digest",
        Toolset.TASKS,
        "Your tasks at a glance",
        "Which of your tasks run, wait and have ended lately, and what is unread. Call it first"
            + " when you do not know what you have started.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    call.fields(ARGUMENTS.names());
    var request = new SummarizeSession.Request(ACTIVE_MAX, ENDED_MAX);
    var summary = verbs.status().summary().run(call.ask(), request);
    var active = sheets(summary.active());
    var digest =
        new TaskDigest(
            call.session().value(),
            active.stream().filter(it -> !it.isWaiting()).toList(),
            active.stream().filter(it -> it.isWaiting()).toList(),
            sheets(summary.ended()),
            summary.unreadResults(),
            summary.unreadNotices());
    var nowMs = reader.nowMs();
    var answer = JsonNodeFactory.instance.objectNode().put("session_id", digest.session());
    tasks(answer.putArray("running"), digest.running(), nowMs);
    tasks(answer.putArray("waiting"), digest.waiting(), nowMs);
    tasks(answer.putArray("ended"), digest.ended(), nowMs);
    answer.put("unread_results", digest.unread()).put("unread_notices", digest.notices());
    return ToolResult.of(answer, digest.text(nowMs));
  }

  private static List<TaskSheet> sheets(List<TaskView> views) {
    return views.stream().map(TaskSheet::new).toList();
  }

  private static void tasks(ArrayNode list, List<TaskSheet> sheets, long nowMs) {
    for (var sheet : sheets) {
      var task =
          TaskJson.head(sheet)
              .put("elapsed_secs", sheet.elapsed(nowMs).toSeconds())
              .put("command", PlainText.line(sheet.command(), COMMAND_CHARS_MAX));
      task.setAll(JsonWriter.tree(out -> StatusWriter.waiting(out, sheet.view())));
      list.add(task);
    }
  }
}
