package dev.errand.wire.json;

import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of requests as JSON Schema. What a schema cannot say, such as a length in bytes, is
 * checked by the reader alone.
 */
public final class FieldSchema {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Function<FieldType.Form, ObjectNode> nested;

  private FieldSchema(Function<FieldType.Form, ObjectNode> nested) {
    this.nested = nested;
  }

  /** One field, with all that it holds. */
  public static ObjectNode of(RequestField<?> field) {
    return new FieldSchema(FieldSchema::of).field(field);
  }

  /** An object of this form, with all that it holds. */
  public static ObjectNode of(FieldType.Form form) {
    return of(form, FieldSchema::of);
  }

  /** The same; for forms within it there is what {@code nested} makes of them. */
  public static ObjectNode of(FieldType.Form form, Function<FieldType.Form, ObjectNode> nested) {
    var schema = type("object");
    var properties = schema.putObject("properties");
    var fields = new FieldSchema(nested);
    form.fields().forEach(it -> properties.set(it.name(), fields.field(it)));
    var required = form.fields().stream().filter(RequestField::required).toList();
    if (!required.isEmpty()) {
      var names = schema.putArray("required");
      required.forEach(it -> names.add(it.name()));
    }
    return schema.put("additionalProperties", false);
  }

  private ObjectNode field(RequestField<?> field) {
    return type(field.type()).put("description", field.meaning());
  }

  private ObjectNode type(FieldType type) {
    return switch (type) {
      case FieldType.Text it -> text(it.charsMax());
      case FieldType.Name it -> text(it.charsMax()).put("pattern", "^(" + it.form() + ")$");
      case FieldType.LongText _ -> type("string");
      case FieldType.Word it -> words(type("string"), it.words());
      case FieldType.WordOrFlag it -> wordsOrFlag(it.words());
      case FieldType.Flag _ -> type("boolean");
      case FieldType.Whole it -> type("integer").put("minimum", it.min()).put("maximum", it.max());
      case FieldType.Seconds it ->
          type("number").put("minimum", it.min().toSeconds()).put("maximum", it.max().toSeconds());
      case FieldType.Timeout it -> type("number").put("minimum", it.min().toSeconds());
      case FieldType.Texts it -> list(type("string")).put("maxItems", it.countMax());
      case FieldType.Arguments _ -> list(type("string"));
      case FieldType.Variables _, FieldType.OpenForm _ -> type("object");
      case FieldType.Form it -> nested.apply(it);
      case FieldType.Forms it -> list(nested.apply(it.form())).put("maxItems", it.countMax());
    };
  }

  private static ObjectNode text(int charsMax) {
    var schema = type("string");
    return charsMax == Integer.MAX_VALUE ? schema : schema.put("maxLength", charsMax);
  }

  private static ObjectNode words(ObjectNode schema, List<String> words) {
    words.forEach(schema.putArray("enum")::add);
    return schema;
  }

  private static ObjectNode wordsOrFlag(List<String> words) {
    var schema = NODES.objectNode();
    schema.putArray("anyOf").add(type("boolean")).add(words(type("string"), words));
    return schema;
  }

  private static ObjectNode list(JsonNode item) {
    var schema = type("array");
    schema.set("items", item);
    return schema;
  }

  private static ObjectNode type(String name) {
    return NODES.objectNode().put("type", name);
  }
}
