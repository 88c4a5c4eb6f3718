package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.Ending;
import dev.errand.daemon.tool.task.Shown;
import dev.errand.daemon.tool.task.TaskReader;
import java.util.ArrayList;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code background_cancel}: ends a task or a whole batch, and answers when all are dead. */
final class CancelTool implements Tool {
  private static final Schema ARGUMENTS = Chosen.schema();

  private final ToolServices services;
  private final TaskReader reader;

  CancelTool(ToolServices services, TaskReader reader) {
    this.services = services;
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
    var chosen = Chosen.of(call, fields, services, reader);
    for (var row : chosen.rows()) {
      services.choice().checkControl(call, row);
    }
    var over = new Ending(services).end(call, chosen.rows(), "background_cancel");
    var answer = JsonNodeFactory.instance.objectNode();
    if (chosen.batchId() != null) {
      answer.put("batchId", chosen.batchId());
    }
    var shown = Shown.of(chosen.rows());
    answer.put("timedOut", !over).put("total", chosen.rows().size()).put("more", shown.more());
    var tasks = answer.putArray("tasks");
    var lines = new ArrayList<String>();
    for (var row : shown.rows()) {
      tasks.add(new Delivery(services, reader).record(call, row));
      var sheet = reader.sheet(row.id());
      var status = sheet.backgroundStatus();
      lines.add(
          "%s `%s` is %s: %s%s"
              .formatted(
                  status.icon(),
                  sheet.id(),
                  status.word(),
                  sheet.description(),
                  sheet.left().isEmpty() ? "" : "; " + sheet.left()));
    }
    shown.note().ifPresent(lines::add);
    return ToolResult.of(answer, String.join("\n", lines));
  }
}
