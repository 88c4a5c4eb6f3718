package dev.errand.daemon.surface.http;

import dev.errand.core.task.PendingOutput;
import dev.errand.daemon.verb.LiveStream;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.SseText;
import dev.errand.wire.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Writes server-sent events. Frames are one line of JSON each, so a frame is one data line.
 *
 * <p>Bytes are buffered: the code that is about to wait must {@link #flush}.
 */
final class SseWriter {
  static final Map<String, String> HEADERS =
      Map.of(
          HttpHeader.CONTENT_TYPE.asString(),
          Headers.EVENT_STREAM,
          HttpHeader.CACHE_CONTROL.asString(),
          "no-store");

  private static final int RETRY_MS = 1_000;

  /** The buffer is sent at this size, even if more follows. */
  private static final int PENDING_BYTES_MAX = 64 << 10;

  private final BodyOutput output;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  SseWriter(BodyOutput output) {
    this.output = output;
  }

  /** The form of a stream's items, and of its cursors. */
  interface Form<T> {
    void item(SseWriter out, T item) throws IOException;

    /** The data of the mark after the history. */
    String caughtUp(String cursor);

    /** Shows a waiting client that the stream is alive. */
    void quiet(SseWriter out, String cursor) throws IOException;
  }

  /** A stream as an answer; it starts when the answer is written. */
  static <T> Reply reply(LiveStream<T> stream, Form<T> form, HttpSettings settings) {
    var keepAlive = settings.times().keepAlive();
    return new Reply.Streamed(
        200, HEADERS, output -> new SseWriter(output).send(stream, form, keepAlive));
  }

  /**
   * Sends a stream from its start to its end, and closes it. A keep-alive is sent when nothing
   * comes for that interval.
   */
  private <T> void send(LiveStream<T> stream, Form<T> form, Duration keepAlive)
      throws IOException, InterruptedException {
    try (stream) {
      open();
      var wait = Duration.ZERO;
      while (true) {
        var step = stream.next(wait);
        var waited = wait.isPositive();
        wait = Duration.ZERO;
        switch (step) {
          case LiveStream.Step.Items<T>(var items) -> {
            for (var item : items) {
              form.item(this, item);
            }
          }
          case LiveStream.Step.CaughtUp<T>(var cursor) -> caughtUp(form.caughtUp(cursor));
          case LiveStream.Step.Coming<T>(var ranges) -> stored(ranges);
          case LiveStream.Step.Quiet<T>(var cursor) -> {
            if (waited) {
              form.quiet(this, cursor);
            }
            flush();
            wait = keepAlive;
          }
          case LiveStream.Step.Ended<T> _ -> {
            flush();
            return;
          }
        }
      }
    }
  }

  /** Sent first, so that a subscriber sees that the stream is open. */
  void open() {
    text("retry: " + RETRY_MS + "\n\n");
  }

  /** One line of JSON, and the id from which a subscriber resumes. */
  void add(String id, byte[] line) throws IOException {
    text("id: " + id + "\ndata: ");
    pending.writeBytes(line);
    text("\n\n");
    if (pending.size() >= PENDING_BYTES_MAX) {
      flush();
    }
  }

  /** Reports that all history is sent and what follows is live. */
  void caughtUp(String data) {
    text("event: " + SseText.CAUGHT_UP + "\ndata: " + data + "\n\n");
  }

  /** Reports which output can be read although its frames are not committed yet. */
  private void stored(List<PendingOutput.Range> ranges) {
    var node = JsonNodeFactory.instance.objectNode();
    for (var it : ranges) {
      var range = node.withObjectProperty(it.stream().word());
      range.put("from", Math.min(it.from(), range.path("from").longValue(Long.MAX_VALUE)));
      range.put("to", it.to());
    }
    text("event: " + SseText.STORED + "\ndata: " + Json.text(node) + "\n\n");
  }

  /** A comment line, which readers ignore, to show that the stream is alive. */
  void comment(String text) throws IOException {
    text(": " + text + "\n\n");
    flush();
  }

  /** Moves the id to resume from although nothing was sent. */
  void movedTo(String id) throws IOException {
    text(": cursor=" + id + "\nid: " + id + "\n\n");
    flush();
  }

  void flush() throws IOException {
    if (pending.size() > 0) {
      output.write(pending.toByteArray());
      pending.reset();
    }
  }

  private void text(String text) {
    pending.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
