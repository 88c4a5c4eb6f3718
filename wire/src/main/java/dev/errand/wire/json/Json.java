package dev.errand.wire.json;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.POJONode;

/** JSON text and its tree, with bounds on depth and size. */
public final class Json {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** An object without fields; never changed. */
  static final JsonNode EMPTY = NODES.objectNode();

  private Json() {}

  /** Parses JSON written by this program. */
  public static JsonNode read(byte[] text) {
    try (var in = JsonFactories.parser(text)) {
      return document(in);
    } catch (JacksonException e) {
      throw new ErrandException(ErrorCode.INTERNAL_ERROR, "unexpected JSON: " + place(e), e);
    }
  }

  /** Parses JSON from a caller; duplicate field names are refused. */
  public static JsonNode readRequest(byte[] text) {
    if (!isOfBytes(text) || !isUtf8(text)) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST, "the body is not UTF-8, as all JSON is here; encode it so");
    }
    try (var in = JsonFactories.strictParser(text)) {
      return document(in);
    } catch (JacksonException e) {
      throw new ErrandException(ErrorCode.INVALID_REQUEST, "the body is not JSON: " + place(e), e);
    }
  }

  /**
   * False for UTF-16 and UTF-32, which the parser would take unasked while others read another text
   * there. Any JSON begins with a character of ASCII, so they have a zero byte or their mark first.
   */
  private static boolean isOfBytes(byte[] text) {
    for (var i = 0; i < Math.min(2, text.length); i++) {
      if (text[i] == 0 || text[i] == (byte) 0xFE || text[i] == (byte) 0xFF) {
        return false;
      }
    }
    return true;
  }

  /** The parser takes longer forms of a character too, such as two bytes for a slash. */
  private static boolean isUtf8(byte[] text) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException _) {
      return false;
    }
  }

  /** Reads a body to its end and makes its tree; one of more than {@code bytesMax} is refused. */
  public static JsonNode readRequest(InputStream body, int bytesMax) throws IOException {
    return readRequest(readBounded(body, bytesMax));
  }

  public static byte[] readBounded(InputStream body, int bytesMax) throws IOException {
    var text = body.readNBytes(bytesMax + 1);
    if (text.length > bytesMax) {
      throw new ErrandException(
          ErrorCode.TOO_LARGE, "the body has more than " + bytesMax + " bytes; send less at once");
    }
    return text;
  }

  public static byte[] bytes(JsonNode node) {
    return JsonWriter.write(out -> write(node, out));
  }

  public static String text(JsonNode node) {
    return new String(bytes(node), StandardCharsets.UTF_8);
  }

  /** The same for all trees that say the same: fields by name, and no spaces. */
  public static String canonical(JsonNode node) {
    var bytes = JsonWriter.write(out -> write(node, out, Json::byName));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Collection<Map.Entry<String, JsonNode>> byName(JsonNode object) {
    var fields = new ArrayList<>(object.properties());
    fields.sort(Map.Entry.comparingByKey());
    return fields;
  }

  /** Stands in a tree for a value that is encoded already. */
  public static JsonNode encoded(byte[] text) {
    return NODES.pojoNode(text);
  }

  /** An array of values that are encoded already. */
  public static byte[] arrayOf(List<byte[]> items) {
    var length = 2 + Math.max(0, items.size() - 1) + items.stream().mapToInt(it -> it.length).sum();
    var text = new byte[length];
    var at = 0;
    text[at++] = '[';
    for (var item : items) {
      if (at > 1) {
        text[at++] = ',';
      }
      System.arraycopy(item, 0, text, at, item.length);
      at += item.length;
    }
    text[at] = ']';
    return text;
  }

  private static JsonNode document(JsonParser in) {
    var first = in.nextToken();
    if (first == null) {
      throw new StreamReadException(in, "it is empty");
    }
    var value = value(in, first, 0);
    if (in.nextToken() != null) {
      throw new StreamReadException(in, "something follows behind the end of the value");
    }
    return value;
  }

  private static JsonNode value(JsonParser in, JsonToken token, int depth) {
    if (depth == JsonFactories.DEPTH_MAX && token.isStructStart()) {
      throw new StreamReadException(in, "it is nested deeper than " + JsonFactories.DEPTH_MAX);
    }
    return switch (token) {
      case START_OBJECT -> object(in, depth);
      case START_ARRAY -> array(in, depth);
      case VALUE_STRING -> NODES.stringNode(in.getString());
      case VALUE_NUMBER_INT -> integer(in);
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(in.getDecimalValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new StreamReadException(in, "a value is missing");
    };
  }

  private static JsonNode object(JsonParser in, int depth) {
    var object = NODES.objectNode();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      var name = in.currentName();
      object.set(name, value(in, in.nextToken(), depth + 1));
    }
    return object;
  }

  private static JsonNode array(JsonParser in, int depth) {
    var array = NODES.arrayNode();
    for (var token = in.nextToken(); token != JsonToken.END_ARRAY; token = in.nextToken()) {
      array.add(value(in, token, depth + 1));
    }
    return array;
  }

  private static JsonNode integer(JsonParser in) {
    return in.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? NODES.numberNode(in.getBigIntegerValue())
        : NODES.numberNode(in.getLongValue());
  }

  static void write(JsonNode node, JsonGenerator out) {
    write(node, out, JsonNode::properties);
  }

  /** The fields of an object in the order in which they are written. */
  private interface Order {
    Collection<Map.Entry<String, JsonNode>> of(JsonNode object);
  }

  private static void write(JsonNode node, JsonGenerator out, Order fields) {
    switch (node.getNodeType()) {
      case OBJECT -> {
        out.writeStartObject();
        for (var field : fields.of(node)) {
          out.writeName(Unicode.wellFormed(field.getKey()));
          write(field.getValue(), out, fields);
        }
        out.writeEndObject();
      }
      case ARRAY -> {
        out.writeStartArray();
        for (var item : node) {
          write(item, out, fields);
        }
        out.writeEndArray();
      }
      case STRING -> out.writeString(Unicode.wellFormed(node.stringValue()));
      case NUMBER -> writeNumber(node, out);
      case BOOLEAN -> out.writeBoolean(node.booleanValue());
      case NULL, MISSING -> out.writeNull();
      case POJO -> {
        if (!(((POJONode) node).getPojo() instanceof byte[] encoded)) {
          throw new IllegalStateException("not of JSON: " + node.getNodeType());
        }
        out.writeRawValue(new String(encoded, StandardCharsets.UTF_8));
      }
      case BINARY -> throw new IllegalStateException("not of JSON: " + node.getNodeType());
    }
  }

  private static void writeNumber(JsonNode node, JsonGenerator out) {
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      out.writeNumber(node.longValue());
    } else if (node.isIntegralNumber()) {
      out.writeNumber(node.bigIntegerValue());
    } else {
      out.writeNumber(node.decimalValue());
    }
  }

  /** The word that could not be read is left out: a value without its quotes may be a secret. */
  private static String place(JacksonException e) {
    var at = e.getLocation();
    var where = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    // The parser's own message does not help the caller.
    var message =
        e.getOriginalMessage()
            .replaceFirst("(?s)token '[^']*'", "word without quotes")
            .replaceAll(":? *enable `[^`]*` to allow", " is not allowed")
            .replaceAll(" \\(start marker at \\[[^]]*]\\)", "");
    return message + where;
  }
}
