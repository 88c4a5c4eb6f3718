package dev.errand.wire.client;

import dev.errand.core.task.TaskId;
import dev.errand.wire.json.FrameType;
import dev.errand.wire.json.JsonFields;
import org.jspecify.annotations.Nullable;

/**
 * A received frame.
 *
 * @param id where to continue: the seq in a task's stream, a cursor in the stream of all
 * @param text the JSON from the daemon
 * @param fields the same, parsed
 */
public record EventFrame(String id, String text, JsonFields fields) {

  public String type() {
    return fields.text("type", "");
  }

  public long seq() {
    return fields.number("seq");
  }

  public long timestampMs() {
    return fields.number("timestamp_ms", 0);
  }

  /** The task of the frame; null if it is about none. */
  public @Nullable TaskId taskId() {
    var text = fields.textOrNull("task_id");
    return text == null ? null : new TaskId(text);
  }

  /** Whether it is the last frame of its task. */
  public boolean isTerminal() {
    return type().equals(FrameType.STATUS) && TaskStatus.isEnd(fields.text("status", ""));
  }
}
