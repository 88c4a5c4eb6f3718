package dev.errand.daemon.hostlink;

import dev.errand.core.task.TaskId;

/** Is told up to where a terminal's log can be read, before the frame that says so is committed. */
public interface StoredOutput {
  void stored(TaskId taskId, long end);
}
