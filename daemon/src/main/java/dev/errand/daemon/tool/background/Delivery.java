package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.verb.ShowTask;
import dev.errand.daemon.verb.ShownTask;
import tools.jackson.databind.node.ObjectNode;

/** Hands out records with results: whoever gets that of a task that is over has retrieved it. */
final class Delivery {
  private final ToolServices services;
  private final TaskReader reader;

  Delivery(ToolServices services, TaskReader reader) {
    this.services = services;
    this.reader = reader;
  }

  /** The task as it is now, whose result is told; what was chosen may be old. */
  ShownTask now(ToolCall call, ShownTask chosen) throws InterruptedException {
    var request = new ShowTask.Request(chosen.id());
    return services.verbs().status().show().run(call.ask(), request);
  }

  /** The record of a task whose result is told. */
  ObjectNode record(ShownTask task) {
    var readAtMs = task.readAtMs();
    var isNew = task.isOver() && readAtMs == 0;
    return new RecordJson(reader).of(task, isNew ? reader.nowMs() : readAtMs);
  }
}
