package dev.errand.daemon.tool;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a tool says of itself; the description is written for a model that has to choose.
 *
 * @param leanSchema the arguments that an agent needs, in few words; all others are taken as well
 */
public record ToolInfo(
    String name,
    String toolset,
    String title,
    String description,
    ObjectNode inputSchema,
    ObjectNode leanSchema,
    Annotations annotations) {

  /** A tool whose arguments need no shorter form. */
  public ToolInfo(
      String name,
      String toolset,
      String title,
      String description,
      ObjectNode inputSchema,
      Annotations annotations) {
    this(name, toolset, title, description, inputSchema, inputSchema, annotations);
  }

  /** The whole description. */
  public ObjectNode json() {
    return json(inputSchema);
  }

  /** The same with the short form of its arguments, without the session. */
  public ObjectNode leanJson() {
    var schema = leanSchema.deepCopy();
    if (schema.path("properties") instanceof ObjectNode properties) {
      properties.remove(Schema.SESSION_ID);
      // What is not listed is taken as well.
      schema.remove("additionalProperties");
    }
    return json(schema);
  }

  private ObjectNode json(ObjectNode schema) {
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", name)
            .put("toolset", toolset)
            .put("title", title)
            .put("description", description);
    node.set("input_schema", schema);
    node.putObject("annotations")
        .put("read_only", annotations.readOnly())
        .put("destructive", annotations.destructive())
        .put("idempotent", annotations.idempotent())
        .put("open_world", annotations.openWorld());
    return node;
  }
}
