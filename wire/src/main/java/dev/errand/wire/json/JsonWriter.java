package dev.errand.wire.json;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.TreeBuildingGenerator;

/**
 * Writes one JSON object or array, field by field, as UTF-8. An absent value is written as null:
 * readers may rely on a field being there.
 */
public final class JsonWriter {
  private static final int BYTES_EXPECTED = 512;

  private final JsonGenerator out;

  private JsonWriter(JsonGenerator out) {
    this.out = out;
  }

  public static byte[] object(Consumer<JsonWriter> content) {
    return write(out -> {
      out.writeStartObject();
      content.accept(new JsonWriter(out));
      out.writeEndObject();
    });
  }

  public static byte[] array(Consumer<JsonWriter> content) {
    return write(out -> {
      out.writeStartArray();
      content.accept(new JsonWriter(out));
      out.writeEndArray();
    });
  }

  /** The same object as a tree. */
  public static ObjectNode tree(Consumer<JsonWriter> content) {
    var out = TreeBuildingGenerator.forSerialization(null, JsonNodeFactory.instance);
    out.writeStartObject();
    content.accept(new JsonWriter(out));
    out.writeEndObject();
    return (ObjectNode) out.treeBuilt();
  }

  static byte[] write(Consumer<JsonGenerator> content) {
    var bytes = new ByteArrayOutputStream(BYTES_EXPECTED);
    try (var out = JsonFactories.generator(bytes)) {
      content.accept(out);
    }
    return bytes.toByteArray();
  }

  public JsonWriter text(String name, @Nullable String value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeString(Unicode.wellFormed(value));
    }
    return this;
  }

  public JsonWriter number(String name, long value) {
    out.writeName(name);
    out.writeNumber(value);
    return this;
  }

  public JsonWriter numberOrNull(String name, @Nullable Long value) {
    return value == null ? nothing(name) : number(name, value);
  }

  /** A time as a number of seconds, with a fraction only where it needs one. */
  public JsonWriter seconds(String name, Duration time) {
    out.writeName(name);
    if (time.toMillisPart() == 0) {
      out.writeNumber(time.toSeconds());
    } else {
      out.writeNumber(time.toMillis() / 1000.0);
    }
    return this;
  }

  public JsonWriter bool(String name, boolean value) {
    out.writeName(name);
    out.writeBoolean(value);
    return this;
  }

  /** The field is there and says that there is nothing. */
  public JsonWriter nothing(String name) {
    out.writeName(name);
    out.writeNull();
    return this;
  }

  public JsonWriter numbers(String name, List<Long> values) {
    return array(name, it -> values.forEach(it::item));
  }

  public JsonWriter texts(String name, List<String> values) {
    return array(name, it -> values.forEach(it::item));
  }

  public JsonWriter texts(String name, Map<String, String> values) {
    return object(
        name, it -> values.forEach((key, value) -> it.text(Unicode.wellFormed(key), value)));
  }

  public JsonWriter object(String name, Consumer<JsonWriter> content) {
    out.writeName(name);
    return item(content);
  }

  public JsonWriter array(String name, Consumer<JsonWriter> content) {
    out.writeName(name);
    return items(content);
  }

  public JsonWriter node(String name, JsonNode value) {
    out.writeName(name);
    Json.write(value, out);
    return this;
  }

  /** An element of an array. */
  public JsonWriter item(long value) {
    out.writeNumber(value);
    return this;
  }

  public JsonWriter item(String value) {
    out.writeString(Unicode.wellFormed(value));
    return this;
  }

  public JsonWriter item(Consumer<JsonWriter> object) {
    out.writeStartObject();
    object.accept(this);
    out.writeEndObject();
    return this;
  }

  /** An array as an element of an array. */
  public JsonWriter items(Consumer<JsonWriter> content) {
    out.writeStartArray();
    content.accept(this);
    out.writeEndArray();
    return this;
  }
}
