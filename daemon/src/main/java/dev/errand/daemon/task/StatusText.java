package dev.errand.daemon.task;

import dev.errand.wire.json.JsonWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Adds to a status object what is not folded from its task's frames. */
final class StatusText {

  private StatusText() {}

  /** The same object, with where its task stands in the queue. */
  static byte[] queued(byte[] status, QueuePlace place) {
    return added(
        status,
        out ->
            out.object(
                "queue",
                it -> {
                  var behind = place.behind();
                  it.numberOrNull("position", absent(place.position()))
                      .text("reason", place.reason().word())
                      .text("behind", behind == null ? null : behind.value())
                      .numberOrNull("until_ms", absent(place.untilMs()));
                }));
  }

  /** The same object, with the first frame of its task that is damaged. */
  static byte[] corruptFrom(byte[] status, long seq) {
    return added(status, out -> out.number("corrupt_from", seq));
  }

  /** The same object, with processes that may be of its task. */
  static byte[] escaped(byte[] status, List<EscapedProcesses.Escaped> escaped) {
    return added(
        status,
        out ->
            out.array(
                "escaped",
                array ->
                    escaped.forEach(process ->
                        array.item(item ->
                            item.number("pid", process.pid()).text("name", process.name())))));
  }

  private static byte[] added(byte[] status, Consumer<JsonWriter> fields) {
    var more = JsonWriter.object(fields);
    var whole = new byte[status.length + more.length - 1];
    System.arraycopy(status, 0, whole, 0, status.length - 1);
    whole[status.length - 1] = ',';
    System.arraycopy(more, 1, whole, status.length, more.length - 1);
    return whole;
  }

  private static @Nullable Long absent(long value) {
    return value == 0 ? null : value;
  }
}
