package dev.errand.host.record;

import dev.errand.core.task.TaskId;

/**
 * The attempt of a record, its number, and the time of its creation.
 *
 * @param n counts the records of this attempt: from 1, in steps of 1, without gaps
 */
public record Stamp(TaskId taskId, int attempt, long n, long timestampMs) {}
