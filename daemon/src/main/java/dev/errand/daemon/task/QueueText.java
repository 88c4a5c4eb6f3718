package dev.errand.daemon.task;

import dev.errand.wire.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/** Adds to a status object where its task stands in the queue. */
final class QueueText {

  private QueueText() {}

  /** The same object with one more field at its end. */
  static byte[] added(byte[] status, QueuePlace place) {
    var more =
        JsonWriter.object(out ->
            out.object(
                "queue",
                it -> {
                  var behind = place.behind();
                  it.numberOrNull("position", absent(place.position()))
                      .text("reason", place.reason().word())
                      .text("behind", behind == null ? null : behind.value())
                      .numberOrNull("until_ms", absent(place.untilMs()));
                }));
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
