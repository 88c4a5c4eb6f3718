package dev.errand.core.session;

import dev.errand.core.task.TaskId;

/** Something that happened in a session and belongs to no task's own stream. */
public sealed interface SessionEvent {

  /** A task's end was delivered for the first time; from now on its retention counts. */
  record ResultRead(TaskId taskId, String by) implements SessionEvent {}

  /** A task, its logs and its frames are gone; only a tombstone is left. */
  record TaskRemoved(TaskId taskId, String reason, String by) implements SessionEvent {}
}
