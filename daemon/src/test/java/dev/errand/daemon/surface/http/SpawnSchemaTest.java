package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a request for a task may say is told alike wherever it is told. */
final class SpawnSchemaTest {
  @TempDir Path folder;

  @Test
  void openapi_says_what_the_tool_says() throws IOException {
    try (var surface = Surface.start(folder)) {
      var api = json(surface.get("/openapi.json"));

      assertThat(inlined(api, api.at("/components/schemas/Spawn")))
          .isEqualTo(schema(json(surface.get("/tools")), "tool_task_spawn"));
    }
  }

  private static JsonNode schema(JsonNode tools, String name) {
    return tools
        .valueStream()
        .filter(it -> it.path("name").stringValue("").equals(name))
        .findFirst()
        .orElseThrow()
        .path("input_schema");
  }

  /** With what it refers to in place of the references. */
  private static JsonNode inlined(JsonNode api, JsonNode node) {
    if (node instanceof ObjectNode object && object.has("$ref")) {
      var named = api.at(object.path("$ref").stringValue("").substring(1));
      var own = object.deepCopy();
      own.remove("$ref");
      return ((ObjectNode) inlined(api, named)).setAll(own);
    }
    var copy = node.deepCopy();
    if (copy instanceof ObjectNode object) {
      object.propertyNames().forEach(it -> object.set(it, inlined(api, object.get(it))));
    }
    return copy;
  }
}
