package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.RequestFields;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a client says. */
sealed interface ClientMessage {

  /** Something typed; {@code writeId} makes a repeat harmless and asks for an acknowledgement. */
  @SuppressWarnings("ArrayRecordComponent") // Handed through once, never compared.
  record Stdin(@Nullable String writeId, byte[] data, boolean eof, boolean secret)
      implements ClientMessage {
    /** What is typed may be a password. */
    @Override
    public String toString() {
      return "Stdin[" + writeId + ", " + data.length + " bytes]";
    }
  }

  record Resize(int rows, int cols) implements ClientMessage {}

  /** Asks for a sign of life where the transport's own is out of reach, as in a browser. */
  record Ping() implements ClientMessage {}

  /** One that cannot be taken for a message at all, so that no other of its sender can be. */
  record Unreadable(String why) implements ClientMessage {}

  /** Of a sort that is not known here. */
  record Unknown(String type) implements ClientMessage {}

  int WRITE_ID_CHARS_MAX = 128;
  int SIZE_MAX = 1_000;

  /** Base64 of the most that one message carries, and some line ends. */
  int DATA_CHARS_MAX = 2 * HttpBounds.STDIN_BYTES_MAX;

  /** A known sort with wrong fields is refused by an exception, and nothing of it is done. */
  static ClientMessage of(String text) {
    JsonNode node;
    try {
      node = Json.readRequest(text.getBytes(StandardCharsets.UTF_8));
    } catch (ErrandException e) {
      return new Unreadable(String.valueOf(e.getMessage()).replace("the body", "the message"));
    }
    if (!node.isObject() || !node.path("type").isString()) {
      return new Unreadable("a message is a JSON object with a type");
    }
    var type = node.path("type").stringValue();
    return switch (type) {
      case "stdin" -> stdin(node);
      case "resize" -> resize(node);
      case "ping" -> new Ping();
      default -> new Unknown(type);
    };
  }

  private static Stdin stdin(JsonNode node) {
    var fields =
        RequestFields.of(node, List.of("type", "text", "chunk_b64", "write_id", "eof", "secret"));
    return new Stdin(
        fields.text("write_id", WRITE_ID_CHARS_MAX),
        data(fields),
        fields.bool("eof", false),
        fields.bool("secret", false));
  }

  private static byte[] data(RequestFields fields) {
    var base64 = fields.text("chunk_b64", DATA_CHARS_MAX);
    var text = fields.text("text", DATA_CHARS_MAX);
    if (base64 != null && text != null) {
      throw RequestFields.invalid("send chunk_b64 or text, not both");
    }
    var data =
        base64 != null
            ? decoded(base64)
            : (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
    if (data.length > HttpBounds.STDIN_BYTES_MAX) {
      throw new ErrandException(
          ErrorCode.TOO_LARGE,
          "one message takes %d bytes, not %d; send it in parts"
              .formatted(HttpBounds.STDIN_BYTES_MAX, data.length));
    }
    return data;
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      throw RequestFields.invalid("chunk_b64 is not Base64");
    }
  }

  private static Resize resize(JsonNode node) {
    var fields = RequestFields.of(node, List.of("type", "rows", "cols"));
    var rows = fields.integer("rows", 1, SIZE_MAX);
    var cols = fields.integer("cols", 1, SIZE_MAX);
    if (rows == null || cols == null) {
      throw RequestFields.invalid("resize needs rows and cols");
    }
    return new Resize(Math.toIntExact(rows), Math.toIntExact(cols));
  }
}
