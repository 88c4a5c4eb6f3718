package dev.errand.wire.client;

import dev.errand.core.task.TaskId;
import dev.errand.wire.json.FrameType;
import dev.errand.wire.json.JsonFields;
import org.jspecify.annotations.Nullable;

/**
 * A frame as it arrived.
 *
 * @param id where to go on behind it: the seq in a task's stream, a cursor in the stream of all
 * @param text the JSON just as the daemon wrote it
 * @param fields the same, to be asked field by field
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

  /** The task that this is about; null in a frame that is about none. */
  public @Nullable TaskId taskId() {
    var text = fields.textOrNull("task_id");
    return text == null ? null : new TaskId(text);
  }

  /** Whether it is the last frame of its task. */
  public boolean isTerminal() {
    return type().equals(FrameType.STATUS) && TaskStatus.isEnd(fields.text("status", ""));
  }
}
