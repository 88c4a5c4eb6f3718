package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Access;
import dev.errand.wire.http.Headers;
import dev.errand.wire.json.FieldSchema;
import dev.errand.wire.json.FieldType;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.SpawnFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Describes all routes in the format OpenAPI 3.1. The facts about a route are in the route table;
 * this class only formats them.
 */
final class OpenApi {
  private static final String COMPONENTS = "components.json";
  private static final String PARAMETERS = "parameters";
  private static final String KEY = "Idempotency-Key";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final ObjectNode components = components();

  private OpenApi() {}

  static ObjectNode of(List<Route> routes, String version) {
    var root = NODES.objectNode().put("openapi", "3.1.0");
    root.putObject("info").put("title", "Errand").put("version", version);
    var api = new OpenApi();
    var paths = root.putObject("paths");
    for (var route : routes) {
      var path = "/" + String.join("/", route.parts());
      var item = paths.has(path) ? (ObjectNode) paths.get(path) : paths.putObject(path);
      item.set(route.method().toLowerCase(Locale.ROOT), api.operation(route));
    }
    root.set("components", api.components);
    return root;
  }

  /** Callers on TCP send a token; on the Unix socket the user of the peer is enough. */
  private static ObjectNode components() {
    try (var in = OpenApi.class.getResourceAsStream(COMPONENTS)) {
      if (in == null) {
        throw new IllegalStateException(COMPONENTS + " is missing from the program");
      }
      var node = (ObjectNode) Json.read(in.readAllBytes());
      described((ObjectNode) node.path("schemas"), SpawnFields.FORM);
      node.putObject("securitySchemes")
          .putObject("token")
          .put("type", "http")
          .put("scheme", "bearer");
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds a schema of the catalogue of fields, and each schema that it contains, under their names.
   */
  private static ObjectNode described(ObjectNode schemas, FieldType.Form form) {
    schemas.set(form.name(), FieldSchema.of(form, it -> described(schemas, it)));
    return schema(form.name());
  }

  private ObjectNode operation(Route route) {
    var operation = NODES.objectNode().put("summary", route.doc().summary());
    var parameters = operation.putArray(PARAMETERS);
    route.parts().stream()
        .filter(it -> it.startsWith("{"))
        .forEach(it -> parameters.add(parameter(it.substring(1, it.length() - 1), "path")));
    route.query().stream().sorted().forEach(it -> parameters.add(parameter(it, "query")));
    var changes = !route.reads();
    if (changes && !route.method().equals("GET") && !route.parts().getFirst().equals("tokens")) {
      parameters.add(parameter(KEY, "header"));
    }
    var body = route.doc().body();
    if (body != null) {
      content(operation.putObject("requestBody"), Headers.JSON, schema(body));
    }
    operation.set("responses", responses(route.doc().answers()));
    security(operation, route.access());
    return operation;
  }

  private ObjectNode parameter(String name, String place) {
    if (components.path(PARAMETERS).has(name)) {
      return NODES.objectNode().put("$ref", "#/components/parameters/" + name);
    }
    var plain = NODES.objectNode().put("name", name).put("in", place);
    plain.put("required", place.equals("path")).putObject("schema").put("type", "string");
    return plain;
  }

  private static ObjectNode responses(List<Doc.Given> answers) {
    var responses = NODES.objectNode();
    for (var answer : answers) {
      var status = Integer.toString(answer.status());
      var response =
          responses.has(status)
              ? (ObjectNode) responses.get(status)
              : responses.putObject(status).put("description", "Done.");
      if (!answer.type().isEmpty()) {
        content(response, answer.type(), schema(answer));
      }
    }
    var problem = responses.putObject("default").put("description", "Refused, or failed.");
    content(problem, Headers.PROBLEM_JSON, schema("Problem"));
    return responses;
  }

  private static @Nullable ObjectNode schema(Doc.Given answer) {
    var name = answer.schema();
    if (name == null || !answer.page()) {
      return name == null ? null : schema(name);
    }
    var array = NODES.objectNode().put("type", "array");
    array.set("items", schema(name));
    return array;
  }

  private static ObjectNode schema(String name) {
    return NODES.objectNode().put("$ref", "#/components/schemas/" + name);
  }

  private static void content(ObjectNode owner, String type, @Nullable JsonNode schema) {
    var content =
        owner.has("content") ? (ObjectNode) owner.get("content") : owner.putObject("content");
    var media = content.putObject(type);
    if (schema != null) {
      media.set("schema", schema);
    }
  }

  private static void security(ObjectNode operation, Access access) {
    var security = operation.putArray("security");
    if (!(access instanceof Access.Open)) {
      security.addObject().putArray("token");
      security.addObject();
    }
  }
}
