package dev.errand.daemon.hostlink;

import dev.errand.core.task.TaskId;

/** Called with the end of a terminal's log, before the frame with that output is committed. */
public interface StoredOutputListener {
  void stored(TaskId taskId, long end);
}
