package dev.errand.host.record;

import dev.errand.core.task.TaskId;

/** One start of one task; attempts are numbered from 1 within their task. */
public record AttemptId(TaskId taskId, int attempt) {
  public AttemptId {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts are numbered from 1, not: " + attempt);
    }
  }
}
