package dev.errand.daemon.tool.background;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.task.TaskReader;
import tools.jackson.databind.node.ObjectNode;

/** Hands out records with results: whoever gets that of a task that is over has retrieved it. */
final class Delivery {
  private final ToolServices services;
  private final TaskReader reader;

  Delivery(ToolServices services, TaskReader reader) {
    this.services = services;
    this.reader = reader;
  }

  /** The record as it is now; the row that was chosen may be old. */
  ObjectNode record(ToolCall call, TaskRow chosen) {
    var row = reader.row(chosen.id());
    services.noteRead(row, call);
    var readAtMs = row.lifetime().readAtMs();
    var isNew = !row.active() && readAtMs == 0;
    return new RecordJson(reader).of(reader.sheet(row), isNew ? reader.nowMs() : readAtMs);
  }
}
