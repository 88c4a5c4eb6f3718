package dev.errand.daemon.tool;

import dev.errand.wire.json.FieldSchema;
import dev.errand.wire.json.RequestField;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the JSON Schema of a tool's arguments, and knows their names. */
public final class Schema {
  public static final String BATCH_ID = "batch_id";
  public static final String JUSTIFICATION = "justification";
  public static final String SESSION_ID = "session_id";
  public static final String TASK_ID = "task_id";

  private final List<String> names = new ArrayList<>();
  private final ObjectNode properties = JsonNodeFactory.instance.objectNode();
  private final List<String> required = new ArrayList<>();

  private final boolean open;

  private Schema(boolean open) {
    this.open = open;
  }

  public static Schema object() {
    return new Schema(false);
  }

  /** An object whose fields are not listed. */
  public static Schema open() {
    return new Schema(true);
  }

  /** The greatest whole number that every reader of JSON knows exactly. */
  public static final long NUMBER_MAX = (1L << 53) - 1;

  /** The argument that names a task, and the one that names its session. */
  public Schema task() {
    return text(TASK_ID, "the task: its id, or the beginning of it if only one begins so")
        .required(TASK_ID)
        .session();
  }

  public Schema session() {
    return text(SESSION_ID, "the session that is meant; default: your own");
  }

  /** A field of the catalogue. */
  public Schema field(RequestField<?> field) {
    return field(field, field.meaning());
  }

  /** The same in other words, where it means more or less for this tool. */
  public Schema field(RequestField<?> field, String description) {
    names.add(field.name());
    properties.set(field.name(), FieldSchema.of(field).put("description", description));
    return field.required() ? required(field.name()) : this;
  }

  public Schema fields(List<RequestField<?>> fields) {
    fields.forEach(this::field);
    return this;
  }

  public Schema text(String name, String description) {
    return add(name, "string", description);
  }

  public Schema words(String name, String description, List<String> allowed) {
    add(name, "string", description);
    var words = property(name).putArray("enum");
    allowed.forEach(words::add);
    return this;
  }

  public Schema bool(String name, String description) {
    return add(name, "boolean", description);
  }

  public Schema integer(String name, String description, long min, long max) {
    add(name, "integer", description);
    property(name).put("minimum", min).put("maximum", Math.min(max, NUMBER_MAX));
    return this;
  }

  /** A number that may have a fraction, such as seconds. */
  public Schema number(String name, String description, long min, long max) {
    add(name, "number", description);
    property(name).put("minimum", min).put("maximum", max);
    return this;
  }

  /** How long a task may run, in seconds; the most is a setting, so that no maximum is here. */
  public Schema timeout(String description, long min) {
    add(
        "timeout_secs",
        "number",
        description + ", at most 86400 unless tasks.max_timeout_secs is set; default: never");
    property("timeout_secs").put("minimum", min);
    return this;
  }

  public Schema texts(String name, String description) {
    add(name, "array", description);
    property(name).putObject("items").put("type", "string");
    return this;
  }

  /** An object whose fields are described elsewhere. */
  public Schema anyObject(String name, String description) {
    return add(name, "object", description);
  }

  /** The same, or the words that its description names. */
  public Schema anyObjectOrWord(String name, String description) {
    names.add(name);
    var either = properties.putObject(name).put("description", description).putArray("anyOf");
    either.addObject().put("type", "string");
    either.addObject().put("type", "object");
    return this;
  }

  /** How many characters the answer may have. */
  public Schema maxChars() {
    return integer(
        ReplyForm.MAX_CHARS,
        "the most characters of the answer; default: 16384",
        ReplyForm.CHARS_MIN,
        ReplyForm.CHARS_MAX);
  }

  /** An argument with nothing but its type and what it says, for a short form. */
  public Schema brief(String name, String type, String description) {
    return add(name, type, description);
  }

  public Schema required(String... given) {
    required.addAll(List.of(given));
    return this;
  }

  private Schema add(String name, String type, String description) {
    names.add(name);
    properties.putObject(name).put("type", type).put("description", description);
    return this;
  }

  private ObjectNode property(String name) {
    return (ObjectNode) properties.path(name);
  }

  /** The names of all arguments, for reading them. */
  public List<String> names() {
    return List.copyOf(names);
  }

  public ObjectNode json() {
    var node = JsonNodeFactory.instance.objectNode().put("type", "object");
    node.set("properties", properties.deepCopy());
    if (!required.isEmpty()) {
      var list = node.putArray("required");
      required.forEach(list::add);
    }
    return open ? node : node.put("additionalProperties", false);
  }
}
