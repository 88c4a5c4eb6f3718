package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForTask;
import java.time.Duration;

/** {@code task_join}: waits for the end of a task and fetches what came of it. */
final class JoinTool implements Tool {
  static final String TIMEOUT_MS = "timeout_ms";
  static final long TIMEOUT_MS_DEFAULT = 30_000;
  static final long TIMEOUT_MS_MAX = 600_000;

  private static final Schema ARGUMENTS =
      Selection.schema()
          .integer(TIMEOUT_MS, "how long to wait; default: 30000", 0, TIMEOUT_MS_MAX)
          .maxChars();

  private final Verbs verbs;
  private final TaskReader reader;

  JoinTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_join",
        Toolset.TASKS,
        "Wait for a task",
        "Waits for the end of a task and returns its result: its output (head and tail if it is"
            + " long), exit code and logs. After the time: how it stands, with timed_out true.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var chosen = new Selection(verbs).one(call, fields);
    var given = fields.integer(TIMEOUT_MS, 0, TIMEOUT_MS_MAX);
    var timeout = Duration.ofMillis(given == null ? TIMEOUT_MS_DEFAULT : given);
    var request = WaitForTask.Request.forEnd(chosen.id(), timeout);
    var task = verbs.status().await().run(call.ask(), request).task();
    var sheet = new TaskSheet(task.view());
    var json = new TaskJson(reader);
    if (sheet.isOver()) {
      var written = reader.written(call, sheet, call.form().outputChars());
      return ToolResult.of(
          json.outcome(sheet, "result", written).put("timed_out", false),
          json.line(sheet) + "\n" + reader.missedReadiness(call, sheet) + written);
    }
    return ToolResult.of(
        json.summary(call, task, sheet).put("timed_out", true),
        "%s\nIt is not over yet: %s\nGo on with task_join(task_id: \"%s\")."
            .formatted(json.line(sheet), reader.progress(call, sheet), sheet.shortId()));
  }
}
