package dev.errand.daemon.tool.task;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.ReplyRoom;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.excerpt.OutputCursor;
import dev.errand.daemon.tool.text.LiveText;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.ShowBatch;
import dev.errand.daemon.verb.ShowTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.RequestFields;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code task_list} and {@code task_status}: how tasks stand, one or the newest of a session. */
final class ListTool implements Tool {
  static final int LIMIT = 10;
  static final int LIMIT_MAX = 100;
  private static final String ACTIVE_ONLY = "active_only";
  private static final String BATCH_ID = "batch_id";
  private static final String LIMIT_NAME = "limit";

  private static final Schema ARGUMENTS =
      Selection.schema()
          .bool(ACTIVE_ONLY, "only those that wait or run; default: false")
          .text(BATCH_ID, "only those of this batch")
          .integer(LIMIT_NAME, "how many, newest first; default: " + LIMIT, 1, LIMIT_MAX)
          .maxChars();

  private static final Schema LEAN =
      Selection.lean()
          .brief(ACTIVE_ONLY, "boolean", "only those that wait or run")
          .brief(LIMIT_NAME, "integer", "default 10");

  private final String name;
  private final Verbs verbs;
  private final TaskReader reader;

  ListTool(String name, Verbs verbs, TaskReader reader) {
    this.name = name;
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        name,
        Toolset.TASKS,
        "Status of tasks",
        "How one task stands (task_id or label), or the newest tasks of your session: status, age,"
            + " exit code, last line of output. Returns at once.",
        ARGUMENTS.json(),
        LEAN.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var one = new Selection(verbs).find(call, fields);
    if (one != null) {
      refuse(fields);
      return one(call, one.id());
    }
    return many(call, fields);
  }

  private ToolResult many(ToolCall call, RequestFields fields) throws InterruptedException {
    var answer = JsonNodeFactory.instance.objectNode();
    var tasks = answer.putArray("tasks");
    var json = new TaskJson(reader);
    var lines = new ArrayList<String>();
    var room = new ReplyRoom(call.form());
    var found = list(call, fields);
    for (var task : found.newest()) {
      var sheet = new TaskSheet(task.view());
      if (!room.add(tasks, json.summary(call, task, sheet), lines, json.line(sheet))) {
        break;
      }
    }
    var more = found.total() - tasks.size();
    if (more > 0) {
      answer.put("more", more);
      lines.add(
          "and %s%d more; narrow it by active_only, label or batch_id, or give limit (100 at most)"
              .formatted(found.all() ? "" : "at least ", more));
    }
    return ToolResult.of(
        answer,
        lines.isEmpty()
            ? "There are no tasks in session " + call.session().value() + "."
            : String.join("\n", lines));
  }

  private ToolResult one(ToolCall call, TaskId taskId) throws InterruptedException {
    var task = verbs.status().show().run(call.ask(), new ShowTask.Request(taskId));
    var sheet = new TaskSheet(task.view());
    var json = new TaskJson(reader);
    var answer = JsonNodeFactory.instance.objectNode();
    var told = json.summary(call, task, sheet).put("command", sheet.command());
    told.setAll(JsonWriter.tree(task::writeLive));
    answer.putArray("tasks").add(told);
    var lines =
        new ArrayList<>(
            List.of(
                json.line(sheet),
                LiveText.of(task),
                reader.missedReadiness(call, sheet).strip(),
                reader.progress(call, sheet)));
    lines.removeIf(String::isEmpty);
    if (!sheet.description().equals(sheet.command())) {
      lines.add("Command: " + sheet.command());
    }
    lines.add("Output: " + TaskReader.outputCall(sheet, OutputCursor.start(sheet.view())));
    return ToolResult.of(answer, String.join("\n", lines));
  }

  /** A wish that would be passed over is told, not lost. */
  private static void refuse(RequestFields fields) {
    for (var name : List.of(ACTIVE_ONLY, BATCH_ID)) {
      if (fields.has(name)) {
        throw RequestFields.invalid(name + " has no meaning with task_id or label; leave it out");
      }
    }
  }

  /** The newest of those that are meant, and how many there are as far as they were counted. */
  private record Found(List<ShownTask> newest, int total, boolean all) {}

  private Found list(ToolCall call, RequestFields fields) throws InterruptedException {
    var filter = ListTasks.Filter.any(fields.bool(ACTIVE_ONLY, false) ? true : null);
    var given = fields.integer(LIMIT_NAME, 1, LIMIT_MAX);
    var limit = given == null ? LIMIT : given.intValue();
    var batchId = fields.text(BATCH_ID, 64);
    var newest = new ArrayList<ShownTask>();
    var total = new AtomicInteger();
    var wanted = batchId == null ? filter : filter.inBatch(batchId);
    var all =
        reader.each(
            call,
            wanted,
            task -> {
              if (total.getAndIncrement() < limit) {
                newest.add(task);
              }
            });
    if (newest.isEmpty() && batchId != null) {
      // Refused where there is no such batch at all.
      verbs.batches().show().run(call.ask(), new ShowBatch.Request(call.session(), batchId, 0));
    }
    return new Found(newest, total.get(), all);
  }
}
