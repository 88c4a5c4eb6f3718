package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.verb.FindTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.RequestFields;
import org.jspecify.annotations.Nullable;

/** The arguments by which a call names a task: its id or its label. */
final class Selection {
  static final String LABEL = "label";
  private static final int CHARS_MAX = 64;

  private final Verbs verbs;

  Selection(Verbs verbs) {
    this.verbs = verbs;
  }

  static Schema schema() {
    return Schema.object()
        .text(Schema.TASK_ID, "the task: its id, or the beginning of it if only one begins so")
        .text(LABEL, "instead of task_id: the newest task of this label, one that runs first")
        .session();
  }

  /** The same in few words. */
  static Schema lean() {
    return Schema.object()
        .brief(Schema.TASK_ID, "string", "id or the beginning of it")
        .brief(LABEL, "string", "or its label");
  }

  /** The task that is named; null where none is. */
  @Nullable ShownTask find(ToolCall call, RequestFields fields) throws InterruptedException {
    return fields.has(Schema.TASK_ID) || fields.has(LABEL) ? one(call, fields) : null;
  }

  ShownTask one(ToolCall call, RequestFields fields) throws InterruptedException {
    var taskId = fields.text(Schema.TASK_ID, CHARS_MAX);
    var request = new FindTask.Request(taskId, fields.text(LABEL, CHARS_MAX));
    return verbs.status().find().run(call.ask(), request);
  }
}
