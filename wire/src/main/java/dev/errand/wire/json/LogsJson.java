package dev.errand.wire.json;

import dev.errand.core.task.Logs;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import java.util.List;

/** The {@code artifacts} of a status: where each log stands. No path is ever given away. */
final class LogsJson {

  private LogsJson() {}

  static void write(JsonWriter out, TaskId taskId, Logs logs) {
    write(out, taskId, logs.list().stream().map(TaskView.Log::of).toList());
  }

  static void write(JsonWriter out, TaskId taskId, List<TaskView.Log> logs) {
    out.object(
        "artifacts",
        artifacts -> artifacts.object("logs", all -> logs.forEach(log -> write(all, taskId, log))));
  }

  private static void write(JsonWriter out, TaskId taskId, TaskView.Log log) {
    out.object(
        log.stream().word(),
        it ->
            it.text("id", log.stream().logId(taskId))
                .nothing("path")
                .number("bytes_total", log.bytesTotal())
                .number("bytes_stored", log.bytesStored())
                .bool("truncated", log.truncated())
                .text("artifact_id", log.artifactId())
                .nothing("error"));
  }
}
