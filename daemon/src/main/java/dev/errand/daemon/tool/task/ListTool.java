package dev.errand.daemon.tool.task;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.Toolset;
import dev.errand.wire.json.RequestFields;
import java.util.ArrayList;
import java.util.List;
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
          .integer(LIMIT_NAME, "how many, newest first; default: " + LIMIT, 1, LIMIT_MAX);

  private final String name;
  private final ToolServices services;
  private final TaskReader reader;

  ListTool(String name, ToolServices services, TaskReader reader) {
    this.name = name;
    this.services = services;
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
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) {
    var fields = call.fields(ARGUMENTS.names());
    var one = new Selection(services).find(call, fields);
    if (one != null) {
      refuse(fields);
    }
    var rows = one == null ? list(call, fields) : List.of(one);
    var json = new TaskJson(reader);
    var answer = JsonNodeFactory.instance.objectNode();
    var tasks = answer.putArray("tasks");
    var lines = new ArrayList<String>();
    for (var row : rows) {
      var sheet = reader.sheet(row);
      tasks.add(json.summary(sheet));
      lines.add(json.line(sheet));
    }
    if (one != null) {
      services.noteRead(one, call);
      lines.add(reader.progress(reader.sheet(one)));
    }
    return ToolResult.of(answer, lines.isEmpty() ? "no tasks" : String.join("\n", lines));
  }

  /** A wish that would be passed over is told, not lost. */
  private static void refuse(RequestFields fields) {
    for (var name : List.of(ACTIVE_ONLY, BATCH_ID)) {
      if (fields.has(name)) {
        throw RequestFields.invalid(name + " has no meaning with task_id or label; leave it out");
      }
    }
  }

  private List<TaskRow> list(ToolCall call, RequestFields fields) {
    var active = fields.bool(ACTIVE_ONLY, false);
    var given = fields.integer(LIMIT_NAME, 1, LIMIT_MAX);
    var limit = given == null ? LIMIT : given.intValue();
    var batchId = fields.text(BATCH_ID, 64);
    if (batchId == null) {
      return reader.list(call, active ? true : null, limit);
    }
    return reader.batch(call, batchId).rows().stream()
        .filter(it -> it.active() || !active)
        .limit(limit)
        .toList();
  }
}
