package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.StdinBody;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.RequestFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A message of a client. */
sealed interface ClientMessage {

  /** Input; {@code writeId} makes a repeat harmless and asks for an acknowledgement. */
  record Stdin(@Nullable String writeId, CommandRunner.StdinRequest request)
      implements ClientMessage {}

  record Resize(TerminalSize size) implements ClientMessage {}

  /** Asks for a pong, for clients that cannot use the transport's own, such as browsers. */
  record Ping() implements ClientMessage {}

  /** Not a message at all; no further message of this client is accepted. */
  record Unreadable(String why) implements ClientMessage {}

  /** A message of an unknown type. */
  record Unknown(String type) implements ClientMessage {}

  /** A message of a known type with wrong fields is refused by an exception and has no effect. */
  static ClientMessage of(String text, String by) {
    JsonNode node;
    try {
      node = Json.readRequest(text.getBytes(StandardCharsets.UTF_8));
    } catch (ErrandException e) {
      return new Unreadable(String.valueOf(e.getMessage()).replace("the body", "the message"));
    }
    if (!node.isObject() || !node.path("type").isString()) {
      return new Unreadable("a message must be a JSON object with a type");
    }
    var type = node.path("type").stringValue();
    return switch (type) {
      case "stdin" -> stdin(node, by);
      case "resize" -> resize(node);
      case "ping" -> new Ping();
      default -> new Unknown(type);
    };
  }

  /** The id by which the sender of a refused message recognizes it; null if it has none. */
  static @Nullable String writeIdOf(String text) {
    try {
      var node = Json.readRequest(text.getBytes(StandardCharsets.UTF_8)).path("write_id");
      var id = node.isString() ? node.stringValue() : "";
      return id.isEmpty() || id.length() > StdinBody.WRITE_ID_CHARS_MAX ? null : id;
    } catch (ErrandException _) {
      return null;
    }
  }

  private static Stdin stdin(JsonNode node, String by) {
    var known = Stream.concat(Stream.of("type"), StdinBody.FIELDS.stream()).toList();
    var fields = RequestFields.of(node, known);
    var request = StdinBody.read(fields).as(UUID.randomUUID().toString(), by);
    return new Stdin(fields.has("write_id") ? request.opId() : null, request);
  }

  private static Resize resize(JsonNode node) {
    var fields = RequestFields.of(node, List.of("type", "rows", "cols"));
    var rows = fields.integer("rows", TerminalSize.MIN, TerminalSize.MAX);
    var cols = fields.integer("cols", TerminalSize.MIN, TerminalSize.MAX);
    if (rows == null || cols == null) {
      throw RequestFields.invalid("resize needs rows and cols");
    }
    return new Resize(new TerminalSize(rows.intValue(), cols.intValue()));
  }
}
