package dev.errand.daemon.tool.background;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.Ending;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.BackgroundText;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.ArrayList;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code background_output}: how tasks stand, and what came of those that are over. */
final class OutputTool implements Tool {
  private static final String BLOCK = "block";
  private static final String TIMEOUT = "timeout";
  private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);
  private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);

  private static final Schema ARGUMENTS =
      Chosen.schema()
          .bool(BLOCK, "wait for the end; default: false")
          .number(TIMEOUT, "with block: how many seconds; default: 30", 0, 600);

  private final ToolServices services;
  private final TaskReader reader;

  OutputTool(ToolServices services, TaskReader reader) {
    this.services = services;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "background_output",
        Toolset.BACKGROUND,
        "Output of a background task",
        "How a background task stands, and its result once it is over. Returns at once unless"
            + " block is true.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var chosen = Chosen.of(call, fields, services, reader);
    var timedOut = fields.bool(BLOCK, false) && !await(call, fields, chosen);
    if (chosen.batchId() == null) {
      var row = chosen.rows().getFirst();
      return new ToolResult(record(call, row).put("timedOut", timedOut), text(row), false);
    }
    var answer = JsonNodeFactory.instance.objectNode().put("batchId", chosen.batchId());
    answer.put("timedOut", timedOut);
    var tasks = answer.putArray("tasks");
    var texts = new ArrayList<String>();
    for (var row : chosen.rows()) {
      tasks.add(record(call, row));
      texts.add(text(row));
    }
    return ToolResult.of(answer, String.join("\n\n", texts));
  }

  private boolean await(ToolCall call, RequestFields fields, Chosen chosen)
      throws InterruptedException {
    var given = fields.seconds(TIMEOUT, Duration.ZERO, TIMEOUT_MAX);
    return new Ending(services)
        .awaitAll(call, chosen.rows(), given == null ? TIMEOUT_DEFAULT : given);
  }

  /** The record as it is now; whoever gets the result of a task that is over has retrieved it. */
  private ObjectNode record(ToolCall call, TaskRow chosen) {
    var row = reader.row(chosen.id());
    services.noteRead(row, call.caller());
    var readAtMs = row.lifetime().readAtMs();
    var isNew = !row.active() && readAtMs == 0;
    return new RecordJson(reader).of(reader.sheet(row), isNew ? reader.nowMs() : readAtMs);
  }

  private String text(TaskRow row) {
    var sheet = reader.sheet(reader.row(row.id()));
    return sheet.isOver()
        ? BackgroundText.result(sheet, reader.result(sheet), reader.nowMs())
        : BackgroundText.status(sheet, reader.lastLine(sheet), reader.nowMs());
  }
}
