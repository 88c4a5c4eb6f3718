package dev.errand.wire.client;

import dev.errand.wire.http.HttpBounds;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parses an event stream. */
final class SseReader {
  private static final int BUFFER_BYTES = 32 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int end;

  SseReader(InputStream in) {
    this.in = in;
  }

  /** One event, or a comment (then without data), which only shows that the peer is alive. */
  record Event(@Nullable String id, @Nullable String name, @Nullable String data) {}

  /** The next event, waiting for it; null at the end of the stream. */
  @Nullable Event next() throws IOException {
    String id = null;
    String name = null;
    StringBuilder data = null;
    for (var line = line(); line != null; line = line()) {
      if (line.isEmpty()) {
        return new Event(id, name, data == null ? null : data.toString());
      }
      var colon = line.indexOf(':');
      var field = colon < 0 ? line : line.substring(0, colon);
      var value = colon < 0 ? "" : unspaced(line.substring(colon + 1));
      // The names come from a text; those that we do not know (and comments) are skipped.
      switch (field) {
        case "id" -> id = value;
        case "event" -> name = value;
        case "data" ->
            data = data == null ? new StringBuilder(value) : data.append('\n').append(value);
        default -> {}
      }
    }
    return null;
  }

  private static String unspaced(String value) {
    return value.startsWith(" ") ? value.substring(1) : value;
  }

  private @Nullable String line() throws IOException {
    if (!fill()) {
      return null;
    }
    var line = new ByteArrayOutputStream();
    while (true) {
      var from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      line.write(buffer, from, at - from);
      if (line.size() > HttpBounds.EVENT_BYTES_MAX) {
        throw new BadAnswerException(
            "an event has more than " + HttpBounds.EVENT_BYTES_MAX + " bytes");
      }
      if (at < end) {
        at++;
        var text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      if (!fill()) {
        throw new EOFException("the event stream ended inside a line");
      }
    }
  }

  private boolean fill() throws IOException {
    if (at < end) {
      return true;
    }
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
