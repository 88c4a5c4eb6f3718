package dev.errand.daemon.tool.task;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.excerpt.OutputCursor;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WriteStdin;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code task_send}: writes to a task or types at its terminal, and shows what comes of it. */
final class SendTool implements Tool {
  private static final String TEXT = "text";
  private static final String KEYS = "keys";
  private static final String EOF = "eof";
  private static final String SECRET = "secret";
  private static final String WAIT_MS = "wait_ms";
  private static final long WAIT_MS_MAX = 60_000;
  private static final long WAIT_MS_DEFAULT = 1_000;

  private static final Schema ARGUMENTS =
      Selection.schema()
          .text(TEXT, "what to write, as it is; end a line with \\n")
          .texts(KEYS, "or names of keys for a terminal, such as Enter, C-c, Up, Escape")
          .bool(EOF, "close the input behind it; default: false")
          .bool(SECRET, "record its size only; default: false")
          .integer(WAIT_MS, "wait so long for new output; default: 1000", 0, WAIT_MS_MAX)
          .maxChars();

  private static final Schema LEAN =
      Selection.lean()
          .brief(TEXT, "string", "written as it is; end a line with \\n")
          .brief(KEYS, "array", "or names of keys: Enter, C-c, Up")
          .brief(EOF, "boolean", "close the input");

  private final Verbs verbs;
  private final TaskReader reader;

  SendTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_send",
        Toolset.TASKS,
        "Write to a task",
        "Writes text to a running task, or presses keys at its terminal, and returns the output"
            + " that follows. The task needs pty: true or stdin: true.",
        ARGUMENTS.json(),
        LEAN.json(),
        Annotations.RUNS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var chosen = new Selection(verbs).one(call, fields);
    var wait = fields.integer(WAIT_MS, 0, WAIT_MS_MAX);
    var request = WriteStdin.Request.read(chosen.id(), input(fields));
    var cursor = OutputCursor.end(chosen.view());
    var written = verbs.tasks().stdin().run(call.ask(), request);
    var patience = Duration.ofMillis(wait == null ? WAIT_MS_DEFAULT : wait);
    return answer(call, after(call, chosen.id(), cursor, patience), cursor, written);
  }

  /** The task when it has answered, or at once where too many calls wait: the text is written. */
  private ShownTask after(ToolCall call, TaskId taskId, OutputCursor cursor, Duration patience)
      throws InterruptedException {
    try {
      return reader.awaitOutput(call, taskId, cursor, patience);
    } catch (ErrandException e) {
      if (e.code() == ErrorCode.LIMIT_EXCEEDED) {
        return reader.now(call, taskId);
      }
      throw e;
    }
  }

  /** What the write of these arguments takes. */
  private static RequestFields input(RequestFields fields) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    for (var name : List.of(TEXT, KEYS, EOF, SECRET)) {
      if (fields.has(name)) {
        input.set(name, fields.raw(name));
      }
    }
    return RequestFields.of(input, WriteStdin.FIELDS);
  }

  private ToolResult answer(
      ToolCall call, ShownTask task, OutputCursor cursor, WriteStdin.Written written)
      throws InterruptedException {
    var sheet = new TaskSheet(task.view());
    var room = call.form().outputChars();
    var part = reader.output().after(call.ask(), sheet.view(), cursor, room);
    var node = TaskJson.head(sheet).put("bytes_written", written.bytes());
    node.put(EOF, written.eof() ? Boolean.TRUE : null);
    node.put("output", part.text()).put("cursor", part.next().text());
    node.put("exit_code", sheet.exitCode());
    var text =
        "wrote %d bytes to %s\n%s\n[what follows: %s]"
            .formatted(
                written.bytes(),
                new TaskJson(reader).line(sheet),
                part.text().stripTrailing(),
                TaskReader.outputCall(sheet, part.next()));
    return ToolResult.of(node, text);
  }
}
