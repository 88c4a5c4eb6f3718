package dev.errand.daemon.surface.http;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.SseText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;

/** Writes server-sent events. Frames are one line of JSON each, so a frame is one data line. */
final class EventStream {
  static final Map<String, String> HEADERS =
      Map.of(
          HttpHeader.CONTENT_TYPE.asString(),
          Headers.EVENT_STREAM,
          HttpHeader.CACHE_CONTROL.asString(),
          "no-store");

  private static final int RETRY_MS = 1_000;

  private final Outlet outlet;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  EventStream(Outlet outlet) {
    this.outlet = outlet;
  }

  /** Sent at once, so that a subscriber sees that it is heard before anything happens. */
  void open() throws IOException {
    text("retry: " + RETRY_MS + "\n\n");
    flush();
  }

  /** Frames of one task: their seq is where a subscriber comes back. */
  void frames(List<EncodedFrame> frames) throws IOException {
    for (var frame : frames) {
      add(Long.toString(frame.seq()), frame);
    }
    flush();
  }

  void add(String id, EncodedFrame frame) {
    text("id: " + id + "\ndata: ");
    pending.writeBytes(frame.bytes());
    text("\n\n");
  }

  /** Says that all history is sent and what follows is live. */
  void caughtUp(String data) throws IOException {
    text("event: " + SseText.CAUGHT_UP + "\ndata: " + data + "\n\n");
    flush();
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
