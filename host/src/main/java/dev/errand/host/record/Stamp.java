package dev.errand.host.record;

import dev.errand.core.task.TaskId;

/**
 * Whose record it is, which one of them, and when it was made.
 *
 * @param n counts the records of this attempt: from 1, plus 1 each, without holes
 */
public record Stamp(TaskId taskId, int attempt, long n, long timestampMs) {}
