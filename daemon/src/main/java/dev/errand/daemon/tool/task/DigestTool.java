package dev.errand.daemon.tool.task;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.compute.ComputePool;
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
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code task_digest}: a short text of all tasks, for an agent that has lost its context. */
final class DigestTool implements Tool {
  private static final int ACTIVE_MAX = 100;
  private static final int ENDED_MAX = 10;
  private static final int COMMAND_CHARS_MAX = 200;

  private static final Schema ARGUMENTS = Schema.object().session();

  private final TaskReader reader;
  private final ComputePool compute;

  DigestTool(TaskReader reader, ComputePool compute) {
    this.reader = reader;
    this.compute = compute;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_digest",
        Toolset.TASKS,
        "Your tasks at a glance",
        "A short text that says which tasks of your session run, wait and have ended lately, and"
            + " what is unread. Call it first when you do not know what you have started.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    call.fields(ARGUMENTS.names());
    var answer = new AtomicReference<ToolResult>();
    call.caller()
        .share(compute)
        .run(_ -> {
          answer.set(digest(call));
          return true;
        });
    return answer.get();
  }

  private ToolResult digest(ToolCall call) {
    var active = reader.list(call, true, ACTIVE_MAX).stream().map(reader::sheet).toList();
    var ended = reader.list(call, false, ENDED_MAX);
    var digest =
        new TaskDigest(
            call.session().value(),
            active.stream().filter(it -> !it.isWaiting()).toList(),
            active.stream().filter(it -> it.isWaiting()).toList(),
            ended.stream().map(reader::sheet).toList(),
            unread(ended),
            reader.unreadNotices(call));
    var answer = JsonNodeFactory.instance.objectNode().put("session_id", digest.session());
    tasks(answer.putArray("running"), digest.running());
    tasks(answer.putArray("waiting"), digest.waiting());
    tasks(answer.putArray("ended"), digest.ended());
    answer.put("unread_results", digest.unread()).put("unread_notices", digest.notices());
    return ToolResult.of(answer, digest.text(reader.nowMs()));
  }

  private static long unread(List<TaskRow> ended) {
    return ended.stream().filter(it -> it.lifetime().readAtMs() == 0).count();
  }

  private void tasks(ArrayNode list, List<TaskSheet> sheets) {
    for (var sheet : sheets) {
      list.add(
          TaskJson.head(sheet)
              .put("elapsed_secs", sheet.elapsed(reader.nowMs()).toSeconds())
              .put("command", PlainText.line(sheet.command(), COMMAND_CHARS_MAX)));
    }
  }
}
