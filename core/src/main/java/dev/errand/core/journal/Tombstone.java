package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;

/** What is left of a removed task: that it was, when and why it went. */
public record Tombstone(
    TaskId taskId, SessionId sessionId, long removedAtMs, String reason, String by) {}
