package dev.errand.daemon.tool;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a tool says of itself; the description is written for a model that has to choose. */
public record ToolInfo(
    String name,
    String toolset,
    String title,
    String description,
    ObjectNode inputSchema,
    Annotations annotations) {

  public ObjectNode json() {
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", name)
            .put("toolset", toolset)
            .put("title", title)
            .put("description", description);
    node.set("input_schema", inputSchema);
    node.putObject("annotations")
        .put("read_only", annotations.readOnly())
        .put("destructive", annotations.destructive())
        .put("idempotent", annotations.idempotent());
    return node;
  }
}
