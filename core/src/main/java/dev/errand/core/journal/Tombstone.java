package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a removed task: when and why it was removed.
 *
 * @param spawnedBy who started it and may read this; null for tasks removed by older versions
 */
public record Tombstone(
    TaskId taskId,
    SessionId sessionId,
    long removedAtMs,
    String reason,
    String by,
    @Nullable String spawnedBy) {}
