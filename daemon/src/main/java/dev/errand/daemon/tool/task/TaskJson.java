package dev.errand.daemon.tool.task;

import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A task as these tools tell it, for programs and in a line. */
final class TaskJson {
  private final TaskReader reader;

  TaskJson(TaskReader reader) {
    this.reader = reader;
  }

  /** How it stands and how far it is. */
  ObjectNode summary(ToolCall call, ShownTask task, TaskSheet sheet) throws InterruptedException {
    var node = head(sheet);
    node.put("created_at", time(sheet.createdAtMs()));
    node.put("started_at", time(sheet.startedAtMs()));
    node.put("ended_at", time(sheet.endedAtMs()));
    node.put("elapsed_secs", sheet.elapsed(reader.nowMs()).toSeconds());
    node.put("description", sheet.description());
    node.put("progress", reader.progress(call, sheet));
    node.put("lastUpdate", Instant.ofEpochMilli(task.changedAtMs()).toString());
    node.put("batch_id", sheet.batchId());
    ending(node, sheet);
    return node;
  }

  /** What came of it; {@code field} names the text of what it wrote and of how it ended. */
  ObjectNode outcome(TaskSheet sheet, String field, String written) {
    var node = head(sheet);
    node.put(field, TaskReader.result(sheet, written));
    node.put("elapsed_secs", sheet.elapsed(reader.nowMs()).toSeconds());
    artifacts(node.putArray("artifacts"), sheet);
    node.setAll(JsonWriter.tree(out -> StatusWriter.usage(out, sheet.view())));
    ending(node, sheet);
    return node;
  }

  /** How it ended and why, or what it waits for. */
  private static void ending(ObjectNode node, TaskSheet sheet) {
    node.put("exit_code", sheet.exitCode());
    node.put("error", sheet.error());
    node.put("reason", sheet.reason());
    node.put("by", sheet.by());
    var attempts = sheet.view().facts().progress().attempts();
    node.put("attempt", attempts > 1 ? (Integer) attempts : null);
    node.setAll(JsonWriter.tree(out -> StatusWriter.waiting(out, sheet.view())));
    var left = sheet.leftover();
    node.put("leftover", left == null || left.equals("none") ? null : left);
    var killed = node.putArray("killed");
    sheet.killed().forEach(killed::add);
  }

  static ObjectNode head(TaskSheet sheet) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("task_id", sheet.id())
        .put("label", sheet.label())
        .put("status", sheet.taskWord());
  }

  private static void artifacts(ArrayNode list, TaskSheet sheet) {
    for (var log : sheet.logs()) {
      list.addObject()
          .put("type", "log")
          .put("stream", log.stream().word())
          .put("log_id", log.stream().logId(sheet.view().id()))
          .put("artifact_id", log.artifactId())
          .put("bytes", log.bytesStored())
          .put("truncated", log.truncated());
    }
  }

  private static @Nullable String time(@Nullable Long ms) {
    return ms == null ? null : Instant.ofEpochMilli(ms).toString();
  }

  /** Its id, label, status and age on one line. */
  String brief(TaskSheet sheet) {
    return "%s %s, %s: %s"
        .formatted(
            sheet.name(),
            sheet.state(reader.nowMs()),
            Elapsed.text(sheet.elapsed(reader.nowMs())),
            sheet.description());
  }

  /** The same, with what became of processes that outlived it and of its output. */
  String line(TaskSheet sheet) {
    return Stream.of(brief(sheet), sheet.left(), sheet.dropped())
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining("; "));
  }
}
