package dev.errand.core.engine;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;

/** A task as it stands after its frame {@code lastSeq}; -1 where it has none. */
public record Snapshot(TaskId taskId, TaskState state, long lastSeq) {}
