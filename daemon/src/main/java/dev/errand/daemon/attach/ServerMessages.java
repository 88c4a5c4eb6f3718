package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import org.jspecify.annotations.Nullable;

/** The text messages that the daemon sends to a client. */
final class ServerMessages {
  static final byte[] PONG = JsonWriter.object(out -> out.text("type", "pong"));

  private ServerMessages() {}

  /**
   * Where the client starts: the offset of the first byte that it gets, and the frame before it.
   */
  static byte[] hello(
      AttachRequest request, @Nullable TerminalSize size, long offset, long seq, boolean over) {
    return JsonWriter.object(out ->
        out.text("type", "hello")
            .text("task_id", request.taskId().value())
            .text("stream", request.stream().word())
            .text("mode", request.view() ? "view" : "control")
            .numberOrNull("rows", size == null ? null : (Long) (long) size.rows())
            .numberOrNull("cols", size == null ? null : (Long) (long) size.cols())
            .number("offset", offset)
            .number("seq", seq)
            .bool("over", over));
  }

  static byte[] resized(TerminalSize size, String by, long seq) {
    return JsonWriter.object(out ->
        out.text("type", "resized")
            .number("rows", size.rows())
            .number("cols", size.cols())
            .text("by", by)
            .number("seq", seq));
  }

  static byte[] screen(FirstScreen.Drawn drawn) {
    return JsonWriter.object(out ->
        out.text("type", "screen").text("ansi", drawn.ansi()).number("offset", drawn.offset()));
  }

  static byte[] gap(long from, long to) {
    return JsonWriter.object(out -> out.text("type", "gap").number("from", from).number("to", to));
  }

  /** The input is applied and recorded as that frame. */
  static byte[] ack(String writeId, long bytesWritten) {
    return JsonWriter.object(out ->
        out.text("type", "ack").text("write_id", writeId).number("bytes_written", bytesWritten));
  }

  /** The status object of a task that is over. */
  static byte[] end(TaskView view) {
    return JsonWriter.object(out -> {
      StatusWriter.write(out, view);
      out.text("type", "end");
    });
  }

  static byte[] error(ErrandException failure, @Nullable String writeId) {
    var message = failure.getMessage() == null ? "" : failure.getMessage();
    return JsonWriter.object(out -> {
      out.text("type", "error").text("code", failure.code().name()).text("message", message);
      out.bool("retryable", failure.code().retryable());
      if (writeId != null) {
        out.text("write_id", writeId);
      }
      failure.facts().forEach(out::number);
    });
  }
}
