package dev.errand.daemon.tool.background;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.verb.ShowBatch;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tasks that a call means: one by its id, or all of a batch. */
record Chosen(List<ShownTask> tasks, @Nullable String batchId) {
  static final String BATCH_ID = "batch_id";
  static final int ID_CHARS_MAX = 64;

  /** More tasks of a batch are not looked at. */
  static final int BATCH_TASKS_MAX = 10_000;

  static Schema schema() {
    return Schema.object()
        .text(Schema.TASK_ID, "the task: its id, or the beginning of it if only one begins so")
        .text(BATCH_ID, "instead of task_id: all tasks of this batch")
        .session();
  }

  static Chosen of(ToolCall call, RequestFields fields, Verbs verbs) throws InterruptedException {
    var taskId = fields.text(Schema.TASK_ID, ID_CHARS_MAX);
    var batchId = fields.text(BATCH_ID, ID_CHARS_MAX);
    if ((taskId == null) == (batchId == null)) {
      throw RequestFields.invalid("give task_id or batch_id, one of them");
    }
    if (taskId != null) {
      return new Chosen(List.of(byId(call, verbs, taskId)), null);
    }
    var request = ofBatch(call, batchId == null ? "" : batchId);
    return new Chosen(verbs.batches().show().run(call.ask(), request).tasks(), batchId);
  }

  /** All of a batch of the session that is meant, newest first; there is at least one. */
  static ShowBatch.Request ofBatch(ToolCall call, String batchId) {
    return new ShowBatch.Request(call.session(), batchId, BATCH_TASKS_MAX);
  }

  private static ShownTask byId(ToolCall call, Verbs verbs, String taskId)
      throws InterruptedException {
    try {
      return verbs.status().find().byId(call.ask(), taskId);
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.TASK_NOT_FOUND) {
        throw e;
      }
      throw new ErrandException(ErrorCode.TASK_NOT_FOUND, "Task not found: " + taskId, e);
    }
  }
}
