package dev.errand.daemon.verb;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.output.StoredBytes;

/** The exact output of a task, by offsets in its streams. */
public final class TaskOutput {
  private final LogStore logs;
  private final TaskId taskId;

  TaskOutput(LogStore logs, TaskId taskId) {
    this.logs = logs;
    this.taskId = taskId;
  }

  /**
   * The bytes of a range without those that the output cap dropped; none if the task was removed.
   */
  public byte[] read(LogStream stream, long from, long to) {
    return StoredBytes.read(logs, taskId, stream, from, to);
  }
}
