package dev.errand.daemon.tool.background;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.TaskSheet;
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

  ObjectNode of(TaskRow row) {
    return of(reader.sheet(row), row.lifetime().readAtMs());
  }

  /** {@code readAtMs} is when its result was first delivered; 0: not yet. */
  ObjectNode of(TaskSheet sheet, long readAtMs) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("id", sheet.id());
    node.put("sessionID", sheet.sessionId()).put("parentSessionID", sheet.sessionId());
    node.putNull("parentMessageID").putNull("parentAgent");
    node.put("description", sheet.description());
    node.putNull("prompt").put("agent", "command").put("command", sheet.command());
    node.put("status", sheet.backgroundWord());
    var started = sheet.startedAtMs();
    node.put("startedAt", time(started == null ? (Long) sheet.createdAtMs() : started));
    node.put("completedAt", time(sheet.endedAtMs()));
    node.put("resultRetrievedAt", time(readAtMs == 0 ? null : (Long) readAtMs));
    ending(node, sheet);
    progress(node.putObject("progress"), sheet);
    return node.put("batchId", sheet.batchId()).put("resumeCount", 0);
  }

  private void ending(ObjectNode node, TaskSheet sheet) {
    node.put("exitCode", sheet.exitCode());
    if (sheet.isOver()) {
      node.put("result", reader.result(sheet));
      node.put("error", sheet.endedWell() || sheet.isCancelled() ? null : sheet.ending());
    } else {
      node.putNull("result").putNull("error");
    }
  }

  private void progress(ObjectNode node, TaskSheet sheet) {
    node.put("toolCalls", 0);
    node.putArray("lastTools");
    node.put("lastUpdate", reader.lastUpdate(sheet).toString());
    node.put("lastLine", reader.lastLine(sheet));
    var bytes = node.putObject("bytes");
    sheet.bytes().forEach((stream, count) -> bytes.put(stream, count.longValue()));
  }

  private static @Nullable String time(@Nullable Long ms) {
    return ms == null ? null : Instant.ofEpochMilli(ms).toString();
  }
}
