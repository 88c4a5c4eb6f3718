package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.io.ByteArrayOutputStream;

/** What is left of a range of a log. */
public final class StoredBytes {

  private StoredBytes() {}

  /** The bytes without those that the output cap took; none if the task was removed since. */
  public static byte[] read(LogStore logs, TaskId taskId, LogStream stream, long from, long to) {
    var bytes = new ByteArrayOutputStream();
    var at = from;
    while (at < to) {
      try {
        var more = logs.read(taskId, stream, at, Math.toIntExact(to - at));
        if (more.length == 0) {
          break;
        }
        bytes.writeBytes(more);
        at += more.length;
      } catch (ErrandException e) {
        at = LogStore.afterDropped(e);
      }
    }
    return bytes.toByteArray();
  }
}
