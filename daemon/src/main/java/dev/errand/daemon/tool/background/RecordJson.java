package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A task as a record of these tools. A command has no agent, no prompt and no tool calls. */
final class RecordJson {
  private final TaskReader reader;

  RecordJson(TaskReader reader) {
    this.reader = reader;
  }

  /**
   * With its result if it is over.
   *
   * @param readAtMs when its result was first delivered; 0: not yet
   * @param written what it wrote, as much as is told
   */
  ObjectNode of(ToolCall call, ShownTask task, long readAtMs, String written)
      throws InterruptedException {
    var node = brief(call, task, readAtMs);
    var sheet = new TaskSheet(task.view());
    return node.put("result", sheet.isOver() ? TaskReader.result(sheet, written) : null);
  }

  /** The same without its result, which is fetched one by one. */
  ObjectNode brief(ToolCall call, ShownTask task, long readAtMs) throws InterruptedException {
    var sheet = new TaskSheet(task.view());
    var lastUpdate = Instant.ofEpochMilli(task.changedAtMs());
    return of(sheet, readAtMs, lastUpdate, reader.lastLine(call, sheet));
  }

  /** Of a task that is about to be recorded, so that nothing can be read of it yet. */
  static ObjectNode launched(TaskSheet sheet) {
    return of(sheet, 0, Instant.ofEpochMilli(sheet.createdAtMs()), "");
  }

  private static ObjectNode of(
      TaskSheet sheet, long readAtMs, Instant lastUpdate, String lastLine) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("id", sheet.id());
    node.put("sessionID", sheet.sessionId()).put("parentSessionID", sheet.sessionId());
    node.put("description", sheet.description());
    node.put("agent", sheet.agent()).put("command", sheet.shortCommand());
    node.put("status", sheet.backgroundStatus().word());
    var started = sheet.startedAtMs();
    node.put("startedAt", time(started == null ? (Long) sheet.createdAtMs() : started));
    node.put("completedAt", time(sheet.endedAtMs()));
    node.put("resultRetrievedAt", time(readAtMs == 0 ? null : (Long) readAtMs));
    var failed = sheet.isOver() && !sheet.endedWell() && !sheet.isCancelled();
    node.put("exitCode", sheet.exitCode()).put("error", failed ? sheet.ending() : null);
    var progress = node.putObject("progress").put("toolCalls", 0);
    progress.put("lastUpdate", lastUpdate.toString()).put("lastLine", lastLine);
    var bytes = progress.putObject("bytes");
    sheet.logs().forEach(it -> bytes.put(it.stream().word(), it.bytesTotal()));
    node.put("batchId", sheet.batchId()).put("resumeCount", 0);
    var left = sheet.leftover();
    node.put("leftover", left == null || left.equals("none") ? null : left);
    node.setAll(JsonWriter.tree(out -> StatusWriter.waiting(out, sheet.view())));
    var killed = node.putArray("killed");
    sheet.killed().forEach(killed::add);
    return node;
  }

  private static @Nullable String time(@Nullable Long ms) {
    return ms == null ? null : Instant.ofEpochMilli(ms).toString();
  }
}
