package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.LogStore;
import dev.errand.wire.json.JsonFields;
import java.io.ByteArrayOutputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A log as it stood at one moment. Whether its task had ended is asked before its length, so that
 * an ended log is complete at that length.
 */
record TaskLog(
    TaskId taskId, LogStream stream, boolean ended, long total, @Nullable String artifactId) {

  /** What ends a page that has something before it; the next page begins with the refusal. */
  private static final Set<ErrorCode> STOPS =
      Set.of(ErrorCode.OUTPUT_DROPPED, ErrorCode.OUTPUT_DAMAGED);

  /** {@code wanted} is null for standard output, or what a terminal shows. */
  static TaskLog of(Services services, TaskRow row, @Nullable LogStream wanted) {
    var status = JsonFields.of(services.tasks().views().status(row));
    var logs = status.object("artifacts").object("logs");
    var standard = logs.has(LogStream.PTY.word()) ? LogStream.PTY : LogStream.STDOUT;
    var stream = wanted == null ? standard : wanted;
    if (!logs.has(stream.word())) {
      throw Call.invalid(
          "a task with "
              + status.text("execution_mode", "pipes")
              + " has no stream "
              + stream.word()
              + "; it has "
              + String.join(", ", logs.node().propertyNames()));
    }
    return new TaskLog(
        row.id(),
        stream,
        !row.active(),
        // Bytes that were recorded are not gone because their file is.
        Math.max(
            services.output().logs().total(row.id(), stream),
            logs.object(stream.word()).number("bytes_total", 0)),
        logs.object(stream.word()).textOrNull("artifact_id"));
  }

  /** Reads that many bytes, or fewer where a dropped range follows; a reader goes on behind it. */
  byte[] read(LogStore logs, long offset, int wanted) {
    var bytes = new ByteArrayOutputStream(Math.min(wanted, 1 << 20));
    while (bytes.size() < wanted) {
      var piece = next(logs, offset + bytes.size(), wanted - bytes.size(), bytes.size() > 0);
      if (piece.length == 0) {
        break;
      }
      bytes.writeBytes(piece);
    }
    return bytes.toByteArray();
  }

  private byte[] next(LogStore logs, long offset, int max, boolean hasSome) {
    try {
      return logs.read(taskId, stream, offset, max);
    } catch (ErrandException e) {
      if (hasSome && STOPS.contains(e.code())) {
        return new byte[0];
      }
      throw e;
    }
  }
}
