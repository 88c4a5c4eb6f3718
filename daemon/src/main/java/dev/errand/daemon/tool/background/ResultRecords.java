package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ShowTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import tools.jackson.databind.node.ObjectNode;

/** Hands out records with results: whoever gets that of a task that is over has retrieved it. */
final class ResultRecords {
  private final Verbs verbs;
  private final TaskReader reader;

  ResultRecords(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  /** The task as it is now, whose result is told; what was chosen may be old. */
  ShownTask now(ToolCall call, ShownTask chosen) throws InterruptedException {
    var request = new ShowTask.Request(chosen.id());
    return verbs.status().show().run(call.ask(), request);
  }

  /** What the task wrote, if it is over and is told; else nothing. */
  String written(ToolCall call, ShownTask task, int room) throws InterruptedException {
    return task.isOver() ? reader.written(call, new TaskSheet(task.view()), room) : "";
  }

  /** The record of a task whose result is told. */
  ObjectNode record(ToolCall call, ShownTask task, String written) throws InterruptedException {
    var readAtMs = task.readAtMs();
    var isNew = task.isOver() && readAtMs == 0;
    return new RecordJson(reader).of(call, task, isNew ? reader.nowMs() : readAtMs, written);
  }
}
