package dev.errand.daemon.surface.http;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Checks a value against a schema, as far as the description of the routes uses schemas. */
final class JsonSchema {
  private final JsonNode root;
  private final List<String> complaints = new ArrayList<>();

  private JsonSchema(JsonNode root) {
    this.root = root;
  }

  /** What is wrong with the value; references lead into the root. */
  static List<String> check(JsonNode root, JsonNode schema, JsonNode value) {
    var check = new JsonSchema(root);
    check.at("", schema, value);
    return check.complaints;
  }

  private void at(String path, JsonNode schema, JsonNode value) {
    if (schema.has("$ref")) {
      var pointer = schema.path("$ref").stringValue("").substring(1);
      var target = root.at(pointer);
      if (target.isMissingNode()) {
        complaints.add(path + ": " + pointer + " leads nowhere");
      }
      at(path, target, value);
      return;
    }
    schema.path("allOf").forEach(it -> at(path, it, value));
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
      complaints.add(path + " is " + value + ", none of " + schema.path("enum"));
    }
    if (schema.has("type") && !isOfType(schema.path("type"), value)) {
      complaints.add(path + " is " + value + ", not " + schema.path("type"));
    }
    schema
        .path("required")
        .forEach(it -> {
          if (!value.has(it.stringValue(""))) {
            complaints.add(path + "." + it.stringValue("") + " is missing");
          }
        });
    value
        .properties()
        .forEach(it -> {
          var inner = schema.path("properties").path(it.getKey());
          var others = schema.path("additionalProperties");
          at(path + "." + it.getKey(), inner.isMissingNode() ? others : inner, it.getValue());
        });
    if (schema.has("items")) {
      value.valueStream().forEach(it -> at(path + "[]", schema.path("items"), it));
    }
  }

  private static boolean isOfType(JsonNode type, JsonNode value) {
    return type.isArray()
        ? type.valueStream().anyMatch(it -> isOfType(it, value))
        : switch (type.stringValue("")) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isString();
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          case "boolean" -> value.isBoolean();
          case "null" -> value.isNull();
          default -> false;
        };
  }
}
