package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.LogStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends a log from an offset on, in pieces, each with the offset of its first byte. Ranges that the
 * cap or a crash removed are reported at their position. For one thread.
 */
final class LogSender {
  private static final int MESSAGE_BYTES_MAX = 64 * 1024;

  private final LogStore logs;
  private final TaskId taskId;
  private final LogStream stream;
  private final Link link;
  private long at;

  LogSender(LogStore logs, AttachRequest request, Link link, long at) {
    this.logs = logs;
    this.taskId = request.taskId();
    this.stream = request.stream();
    this.link = link;
    this.at = at;
  }

  /** The offset of the first byte that was not sent. */
  long at() {
    return at;
  }

  /** Sends what precedes this offset and was not sent yet. */
  void sendUpTo(long end) throws IOException, InterruptedException {
    while (at < end && link.isOpen()) {
      var wanted = (int) Math.min(MESSAGE_BYTES_MAX - Long.BYTES, end - at);
      try {
        var bytes = logs.read(taskId, stream, at, wanted);
        if (bytes.length == 0) {
          skipTo(end);
          return;
        }
        link.binary(ByteBuffer.allocate(Long.BYTES + bytes.length).putLong(at).put(bytes).flip());
        at += bytes.length;
      } catch (ErrandException e) {
        var next = LogStore.afterDropped(e);
        if (next <= at) {
          throw e;
        }
        skipTo(next);
      }
    }
  }

  private void skipTo(long next) throws IOException, InterruptedException {
    link.text(ServerMessages.gap(at, next));
    at = next;
  }
}
