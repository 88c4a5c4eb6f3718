package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WriteStdin;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code tool.task_write_stdin}: writes to a task, or types at its terminal. */
final class StdinTool implements Tool {
  private static final Schema ARGUMENTS =
      Schema.object()
          .task()
          .text("text", "what to write, as text")
          .text("chunk_b64", "what to write, as Base64")
          .texts("keys", "names of keys to press at a terminal, such as Enter, C-c, Up, F1")
          .bool("eof", "close the input behind it")
          .bool("secret", "record the size only")
          .text("write_id", "the same id again writes nothing more");

  private final Verbs verbs;

  StdinTool(Verbs verbs) {
    this.verbs = verbs;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "task_write_stdin",
        Toolset.TERMINAL,
        "Write to a task",
        "Write one of text, chunk_b64 and keys to a running task, 8 KiB at most. It must have been"
            + " spawned with stdin: true or with a terminal.",
        ARGUMENTS.json(),
        Annotations.RUNS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var id = fields.requiredText(Schema.TASK_ID, VerbTools.ID_CHARS_MAX);
    var taskId = verbs.status().find().byId(call.ask(), id).id();
    var written = verbs.tasks().stdin().run(call.ask(), WriteStdin.Request.read(taskId, fields));
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("task_id", taskId.value())
            .put("bytes_written", written.bytes())
            .put("eof", written.eof());
    return ToolResult.of(node, "wrote " + written.bytes() + " bytes to " + taskId);
  }
}
