package dev.errand.wire.json;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of an object that this program or another version of it wrote. What is missing or null
 * takes the stated default, and what nobody asks for is skipped.
 */
public record JsonFields(JsonNode node) {

  public static JsonFields of(byte[] text) {
    return new JsonFields(Json.read(text));
  }

  public boolean has(String name) {
    return node.hasNonNull(name);
  }

  public @Nullable String textOrNull(String name) {
    var value = node.path(name);
    return value.isString() ? value.stringValue() : null;
  }

  public String text(String name) {
    var value = textOrNull(name);
    if (value == null) {
      throw missing(name);
    }
    return value;
  }

  public String text(String name, String whenMissing) {
    var value = textOrNull(name);
    return value == null ? whenMissing : value;
  }

  public @Nullable Long numberOrNull(String name) {
    var value = node.path(name);
    return value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : null;
  }

  public long number(String name) {
    var value = numberOrNull(name);
    if (value == null) {
      throw missing(name);
    }
    return value;
  }

  public long number(String name, long whenMissing) {
    var value = numberOrNull(name);
    return value == null ? whenMissing : value;
  }

  public boolean bool(String name, boolean whenMissing) {
    var value = node.path(name);
    return value.isBoolean() ? value.booleanValue() : whenMissing;
  }

  /** The object of that name; one without fields where there is none. */
  public JsonFields object(String name) {
    return new JsonFields(node.path(name));
  }

  /** The objects in the list of that name; none where there is no such list. */
  public List<JsonFields> objects(String name) {
    var values = new ArrayList<JsonFields>();
    node.path(name).forEach(it -> values.add(new JsonFields(it)));
    return values;
  }

  public List<Long> numbers(String name) {
    var values = new ArrayList<Long>();
    for (var item : node.path(name)) {
      values.add(item.longValue());
    }
    return values;
  }

  public List<String> texts(String name) {
    var values = new ArrayList<String>();
    for (var item : node.path(name)) {
      values.add(item.stringValue());
    }
    return values;
  }

  public Map<String, String> textMap(String name) {
    var values = new TreeMap<String, String>();
    for (var field : node.path(name).properties()) {
      values.put(field.getKey(), field.getValue().stringValue());
    }
    return values;
  }

  private static ErrandException missing(String name) {
    return new ErrandException(ErrorCode.INTERNAL_ERROR, "the text lacks its field " + name);
  }
}
