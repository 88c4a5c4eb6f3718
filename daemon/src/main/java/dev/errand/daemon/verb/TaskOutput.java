package dev.errand.daemon.verb;

import dev.errand.core.task.LogEnd;
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

  /** How many bytes the stream has had so far, dropped ones included. */
  public long total(LogStream stream) {
    return logs.total(taskId, stream);
  }

  /**
   * The stored range that has this offset, or else the next one; empty at the end of the stream.
   */
  public LogEnd.Extent storedAt(LogStream stream, long offset) {
    return logs.stored(taskId, stream).stream()
        .filter(it -> it.to() > offset)
        .findFirst()
        .map(it -> new LogEnd.Extent(Math.max(it.from(), offset), it.to()))
        .orElseGet(() -> {
          var end = Math.max(offset, total(stream));
          return new LogEnd.Extent(end, end);
        });
  }

  /** Where the last stored range begins; nothing between it and the end was dropped. */
  public long lastStoredFrom(LogStream stream) {
    var stored = logs.stored(taskId, stream);
    return stored.isEmpty() ? total(stream) : stored.getLast().from();
  }
}
