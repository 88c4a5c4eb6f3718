package dev.errand.wire.json;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.Logs;
import dev.errand.core.task.TaskId;

/** The {@code artifacts} of a status: where each log stands. No path is ever given away. */
final class LogsJson {

  private LogsJson() {}

  /** The name of a log while it grows; it stays valid when the log has become an artifact. */
  static String logId(TaskId taskId, LogStream stream) {
    return taskId.value() + "." + stream.word();
  }

  static void write(JsonWriter out, TaskId taskId, Logs logs) {
    out.object(
        "artifacts",
        artifacts ->
            artifacts.object("logs", all -> logs.list().forEach(log -> write(all, taskId, log))));
  }

  private static void write(JsonWriter out, TaskId taskId, Logs.Log log) {
    var end = log.end();
    out.object(
        log.stream().word(),
        it ->
            it.text("id", logId(taskId, log.stream()))
                .nothing("path")
                .number("bytes_total", log.bytesTotal())
                .number("bytes_stored", log.bytesStored())
                .bool("truncated", log.truncated())
                .text("artifact_id", end == null ? null : end.sha256())
                .nothing("error"));
  }
}
