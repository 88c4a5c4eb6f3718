package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a removed task: that it was, when and why it went.
 *
 * @param spawnedBy who started it, and may be told of that; null where it went before that was kept
 */
public record Tombstone(
    TaskId taskId,
    SessionId sessionId,
    long removedAtMs,
    String reason,
    String by,
    @Nullable String spawnedBy) {}
