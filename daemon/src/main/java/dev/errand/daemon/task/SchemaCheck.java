package dev.errand.daemon.task;

import dev.errand.wire.json.RequestFields;
import tools.jackson.databind.JsonNode;

/**
 * Holds a value to the part of JSON Schema that tools are described with: {@code type}, {@code
 * enum}, {@code required}, {@code properties}, {@code additionalProperties: false} and {@code
 * items}. What else a schema says is for its readers.
 */
final class SchemaCheck {

  private SchemaCheck() {}

  /** Fails with INVALID_REQUEST, which says where and what. */
  static void check(String path, JsonNode value, JsonNode schema) {
    checkType(path, value, schema.path("type"));
    if (schema.path("enum").isArray()
        && schema.path("enum").valueStream().noneMatch(value::equals)) {
      throw RequestFields.invalid(path + " must be one of " + schema.path("enum"));
    }
    if (value.isObject()) {
      checkObject(path, value, schema);
    }
    if (value.isArray() && schema.has("items")) {
      for (var i = 0; i < value.size(); i++) {
        check(path + "[" + i + "]", value.path(i), schema.path("items"));
      }
    }
  }

  private static void checkObject(String path, JsonNode value, JsonNode schema) {
    for (var name : schema.path("required")) {
      if (!value.has(name.stringValue(""))) {
        throw RequestFields.invalid(path + "." + name.stringValue("") + " is missing");
      }
    }
    var properties = schema.path("properties");
    var closed = !schema.path("additionalProperties").booleanValue(true);
    for (var field : value.properties()) {
      if (properties.has(field.getKey())) {
        check(path + "." + field.getKey(), field.getValue(), properties.path(field.getKey()));
      } else if (closed) {
        throw RequestFields.invalid(
            "there is no %s.%s; known are %s"
                .formatted(path, field.getKey(), String.join(", ", properties.propertyNames())));
      }
    }
  }

  private static void checkType(String path, JsonNode value, JsonNode type) {
    var fits =
        type.isArray()
            ? type.valueStream().anyMatch(it -> isOf(value, it.stringValue("")))
            : !type.isString() || isOf(value, type.stringValue());
    if (!fits) {
      throw RequestFields.invalid(path + " must be of the type " + type);
    }
  }

  private static boolean isOf(JsonNode value, String type) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      case "number" -> value.isNumber();
      case "integer" -> value.isIntegralNumber();
      default -> true;
    };
  }
}
