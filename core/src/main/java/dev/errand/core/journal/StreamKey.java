package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.Locale;

/** Identifies one stream of frames: of a task, or of a session. */
public record StreamKey(Kind kind, String id) {

  /** What a stream is about; the lower-case name is the {@code stream_kind} of its frames. */
  public enum Kind {
    TASK,
    SESSION;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static StreamKey of(TaskId taskId) {
    return new StreamKey(Kind.TASK, taskId.value());
  }

  public static StreamKey of(SessionId sessionId) {
    return new StreamKey(Kind.SESSION, sessionId.value());
  }
}
