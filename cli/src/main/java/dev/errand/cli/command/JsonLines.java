package dev.errand.cli.command;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.TaskStatus;
import dev.errand.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** JSON lines that several commands print. */
final class JsonLines {

  private JsonLines() {}

  static String object(Consumer<JsonWriter> content) {
    return new String(JsonWriter.object(content), StandardCharsets.UTF_8);
  }

  static String spawned(TaskId taskId) {
    return object(out -> out.text("type", "spawned").text("task_id", taskId.value()));
  }

  static String ended(TaskStatus task) {
    return object(out -> out.text("type", "ended").node("status", task.fields().node()));
  }
}
