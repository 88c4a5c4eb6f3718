package dev.errand.core.frame;

import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;

/** An event once recorded; it never changes. */
public sealed interface Frame {

  /** What every frame has: its id, the session that owns it, its seq and its time. */
  record Head(String id, SessionId sessionId, long seq, long timestampMs) {}

  Head head();

  /** A frame of a task's stream. */
  record OfTask(Head head, TaskId taskId, TaskEvent event) implements Frame {}

  /** A frame of a session's stream. */
  record OfSession(Head head, SessionEvent event) implements Frame {}
}
