package dev.errand.daemon.surface.http;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.PendingOutput;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.SseText;
import dev.errand.wire.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Writes server-sent events. Frames are one line of JSON each, so a frame is one data line.
 *
 * <p>What is at hand is sent together: whoever is about to wait has to {@link #flush}.
 */
final class EventStream {
  static final Map<String, String> HEADERS =
      Map.of(
          HttpHeader.CONTENT_TYPE.asString(),
          Headers.EVENT_STREAM,
          HttpHeader.CACHE_CONTROL.asString(),
          "no-store");

  private static final int RETRY_MS = 1_000;

  /** So much is sent whether more follows or not. */
  private static final int PENDING_BYTES_MAX = 64 << 10;

  private final Outlet outlet;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  EventStream(Outlet outlet) {
    this.outlet = outlet;
  }

  /** To be sent before anything happens, so that a subscriber sees that it is heard. */
  void open() {
    text("retry: " + RETRY_MS + "\n\n");
  }

  /** Frames of one task: their seq is where a subscriber comes back. */
  void frames(List<EncodedFrame> frames) throws IOException {
    for (var frame : frames) {
      add(Long.toString(frame.seq()), frame);
    }
  }

  void add(String id, EncodedFrame frame) throws IOException {
    text("id: " + id + "\ndata: ");
    pending.writeBytes(frame.bytes());
    text("\n\n");
    if (pending.size() >= PENDING_BYTES_MAX) {
      flush();
    }
  }

  /** Says that all history is sent and what follows is live. */
  void caughtUp(String data) {
    text("event: " + SseText.CAUGHT_UP + "\ndata: " + data + "\n\n");
  }

  /** Says which output can be read although its frames are still to come. */
  void stored(PendingOutput pending) {
    var node = JsonNodeFactory.instance.objectNode();
    for (var it : pending.ranges()) {
      var range = node.withObjectProperty(it.stream().word());
      range.put("from", Math.min(it.from(), range.path("from").longValue(Long.MAX_VALUE)));
      range.put("to", it.to());
    }
    text("event: " + SseText.STORED + "\ndata: " + Json.text(node) + "\n\n");
  }

  /** A line that no reader takes for an event, to show that the stream is alive. */
  void comment(String text) throws IOException {
    text(": " + text + "\n\n");
    flush();
  }

  /** Moves the point of return although nothing was sent. */
  void movedTo(String id) throws IOException {
    text(": cursor=" + id + "\nid: " + id + "\n\n");
    flush();
  }

  void flush() throws IOException {
    if (pending.size() > 0) {
      outlet.write(pending.toByteArray());
      pending.reset();
    }
  }

  private void text(String text) {
    pending.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
