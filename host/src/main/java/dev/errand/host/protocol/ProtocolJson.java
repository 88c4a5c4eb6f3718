package dev.errand.host.protocol;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes the JSON lines of the protocol. A missing field reads as zero or empty. */
final class ProtocolJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private ProtocolJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static byte[] line(JsonNode json) {
    var text = MAPPER.writeValueAsBytes(json);
    var line = java.util.Arrays.copyOf(text, text.length + 1);
    line[text.length] = '\n';
    return line;
  }

  static JsonNode parse(byte[] line) {
    return MAPPER.readTree(line);
  }

  static long number(JsonNode json, String name) {
    return json.path(name).asLong(0);
  }

  static boolean flag(JsonNode json, String name) {
    return json.path(name).asBoolean(false);
  }

  static String text(JsonNode json, String name) {
    return json.path(name).asString("");
  }
}
