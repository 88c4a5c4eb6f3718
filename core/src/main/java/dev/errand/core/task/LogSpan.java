package dev.errand.core.task;

/** A log as it stood at one moment: how long it was, and whether nothing more will come. */
public record LogSpan(TaskId taskId, LogStream stream, long total, boolean ended) {}
