package dev.errand.daemon.tool.background;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.ReplyRoom;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.Shown;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.CancelTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForBatch;
import dev.errand.daemon.verb.WaitForTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code background_cancel}: ends a task or a whole batch, and answers when all are dead. */
final class CancelTool implements Tool {
  private static final Schema ARGUMENTS = Chosen.schema().maxChars();

  /** Longer than a task has from the first signal to the last, unless it was given more. */
  private static final Duration PROOF_TIME = Duration.ofSeconds(30);

  private static final String BATCH = "batchId";

  /** Of each task of a batch so much of its output is told. */
  private static final int WRITTEN_CHARS_MAX = 400;

  private final Verbs verbs;
  private final TaskReader reader;

  CancelTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "background_cancel",
        Toolset.BACKGROUND,
        "Cancel background tasks",
        "Ends a background task, or all of a batch, with all their processes; answers when they"
            + " are dead. What is over stays as it is, but processes that it was allowed to leave are"
            + " ended.",
        ARGUMENTS.json(),
        Annotations.ENDS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var chosen = Chosen.of(call, fields, verbs);
    var cancel = verbs.tasks().cancel();
    // Where one of them may not be ended, none is.
    chosen.tasks().forEach(it -> cancel.check(call.ask(), it.id().value()));
    for (var task : chosen.tasks()) {
      if (!task.isOver() || task.view().leftovers().isKept()) {
        var step = call.ask().step(task.id().value());
        cancel.run(step, new CancelTask.Request(task.id(), "background_cancel"));
      }
    }
    var batchId = chosen.batchId();
    return batchId == null
        ? one(call, chosen.tasks().getFirst().id())
        : batch(call, batchId, chosen.tasks());
  }

  private ToolResult one(ToolCall call, TaskId taskId) throws InterruptedException {
    var request = WaitForTask.Request.forEnd(taskId, PROOF_TIME);
    var task = verbs.status().await().run(call.ask(), request).task();
    return result(
        call, JsonNodeFactory.instance.objectNode(), List.of(task), List.of(task), task.isOver());
  }

  private ToolResult batch(ToolCall call, String batchId, List<ShownTask> chosen)
      throws InterruptedException {
    var request =
        new WaitForBatch.Request(call.session(), batchId, false, PROOF_TIME, Shown.TASKS_MAX);
    var over = verbs.batches().await().run(call.ask(), request).isOver();
    var shown = new ArrayList<ShownTask>();
    for (var task : Shown.of(chosen)) {
      shown.add(verbs.status().find().byId(call.ask(), task.id().value()));
    }
    var answer = JsonNodeFactory.instance.objectNode().put(BATCH, batchId);
    return result(call, answer, chosen, shown, over);
  }

  private ToolResult result(
      ToolCall call, ObjectNode answer, List<ShownTask> chosen, List<ShownTask> shown, boolean over)
      throws InterruptedException {
    var isBatch = answer.has(BATCH);
    answer.put("timedOut", !over).put("total", chosen.size());
    var tasks = answer.putArray("tasks");
    var lines = new ArrayList<String>();
    var room = new ReplyRoom(call.form());
    var records = new ResultRecords(verbs, reader);
    var share = shown.size() == 1 ? call.form().outputChars() : WRITTEN_CHARS_MAX;
    for (var task : shown) {
      var written = records.written(call, task, share);
      var sheet = new TaskSheet(task.view());
      var line = line(sheet) + (shown.size() == 1 && !written.isEmpty() ? "\n" + written : "");
      if (!room.add(tasks, records.record(call, task, written), lines, line)) {
        break;
      }
      if (isBatch) {
        // Only what there was room for counts as read.
        var _ = records.now(call, task);
      }
    }
    var left = chosen.size() - tasks.size();
    answer.put("more", left);
    if (left > 0) {
      lines.add(left + " more are not shown; background_list shows them.");
    }
    return ToolResult.of(answer, String.join("\n", lines));
  }

  private String line(TaskSheet sheet) {
    var status = sheet.backgroundStatus();
    return "%s `%s` %s: %s%s"
        .formatted(
            status.icon(),
            sheet.shortId(),
            sheet.isOver()
                ? "is " + status.word() + (sheet.endedWell() ? "" : " (" + sheet.ending() + ")")
                : sheet.state(reader.nowMs()),
            sheet.description(),
            sheet.left().isEmpty() ? "" : "; " + sheet.left());
  }
}
