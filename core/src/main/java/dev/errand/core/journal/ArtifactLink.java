package dev.errand.core.journal;

import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/** Says that an artifact is kept: by a task that wrote it, or by whoever uploaded it. */
public record ArtifactLink(String sha256, @Nullable TaskId taskId, long bytes, long atMs) {}
