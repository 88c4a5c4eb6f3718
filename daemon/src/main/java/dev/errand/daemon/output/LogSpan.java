package dev.errand.daemon.output;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;

/** A log as it stood at one moment: how long it was, and whether nothing more will come. */
public record LogSpan(TaskId taskId, LogStream stream, long total, boolean ended) {}
