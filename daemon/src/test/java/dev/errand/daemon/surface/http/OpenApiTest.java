package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the description says of the routes is what the server does. */
final class OpenApiTest {
  private static final Pattern KNOWN = Pattern.compile("known are:? ?([^\"]*)");

  /** What is said of a route instead that takes none. */
  private static final String NONE = "this route has none";

  @TempDir Path folder;
  private Surface surface;
  private JsonNode api;

  record Operation(String method, String path, JsonNode node) {
    String target() {
      return path.replaceAll("\\{[^}]+}", "00000000-0000-7000-8000-00000000ffff");
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
    api = json(surface.get("/openapi.json"));
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void every_route_is_described_and_nothing_else() throws IOException {
    assertThat(api.path("openapi").stringValue("")).isEqualTo("3.1.0");
    assertThat(operations().stream().map(Operation::toString))
        .containsExactlyInAnyOrderElementsOf(RouteSources.all());
  }

  @Test
  void each_path_takes_just_the_methods_that_are_described() throws IOException {
    for (var operation : operations()) {
      var described =
          operations().stream()
              .filter(it -> it.path().equals(operation.path()))
              .map(Operation::method)
              .sorted()
              .toList();

      var answer = surface.call("PATCH", operation.target(), Map.of(), null);

      assertThat(answer.status()).as("%s", operation).isEqualTo(405);
      assertThat(answer.header("Allow")).isEqualTo(String.join(", ", described));
    }
  }

  /** A parameter that does not exist is refused before anything is done, with those that do. */
  @Test
  void each_route_takes_just_the_parameters_that_are_described() throws IOException {
    for (var operation : operations()) {
      if (operation.method().equals("HEAD")) {
        continue;
      }
      var answer =
          surface.call(operation.method(), operation.target() + "?no_such=1", Map.of(), "");
      var detail = json(answer).path("detail").stringValue("");
      var known = KNOWN.matcher(detail.replace(NONE, "known are: "));
      assertThat(known.find()).as("%s %s", operation, answer.text()).isTrue();
      assertThat(String.join(", ", parameters(operation, "query")))
          .as("%s", operation)
          .isEqualTo(known.group(1));
    }
  }

  @Test
  void every_operation_and_parameter_says_what_it_is() {
    for (var operation : operations()) {
      assertThat(operation.node().path("summary").stringValue("")).as("%s", operation).isNotBlank();
      assertThat(operation.node().path("responses").size()).as("%s", operation).isGreaterThan(1);
      for (var parameter : operation.node().path("parameters")) {
        assertThat(resolved(parameter).path("description").stringValue(""))
            .as("%s %s: put it into components.json", operation, parameter)
            .isNotBlank();
      }
    }
  }

  @Test
  void all_references_lead_somewhere() {
    assertThat(api.findValuesAsString("$ref"))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(api.at(it.substring(1)).isMissingNode()).as(it).isFalse());
  }

  @Test
  void the_body_of_a_spawn_has_the_fields_that_are_taken() throws IOException {
    var refused = json(surface.post("/tasks", "{\"no_such\":1}")).path("detail").stringValue("");
    var known = KNOWN.matcher(refused);
    assertThat(known.find()).as(refused).isTrue();

    var described = api.path("components").path("schemas").path("Spawn").path("properties");
    assertThat(described.propertyNames()).containsExactlyInAnyOrder(known.group(1).split(", ", -1));
  }

  @Test
  void answers_are_what_their_schemas_say() throws IOException {
    var taskId = surface.running();
    var task = "/tasks/" + taskId;
    assertFits("POST", "/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}", "/tasks");
    assertFits("GET", "/tasks", "", "/tasks");
    assertFits("GET", task, "", "/tasks/{id}");
    assertFits("POST", task + "/stdin", "{\"text\":\"x\"}", "/tasks/{id}/stdin");
    assertFits("POST", task + "/wait?timeout=0", "{}", "/tasks/{id}/wait");
    assertFits("GET", task + "/events", "", "/tasks/{id}/events");
    assertFits("GET", "/events", "", "/events");
    assertFits("GET", task + "/output?stream=stdout", "", "/tasks/{id}/output");
    assertFits("PUT", "/artifacts", "content", "/artifacts");
    assertFits("POST", "/tokens", "{\"name\":\"ci\"}", "/tokens");
    assertFits("GET", "/tokens", "", "/tokens");
    assertFits("DELETE", "/tokens/ci", "", "/tokens/{name}");
    assertFits("GET", "/tools", "", "/tools");
    assertFits("GET", "/readyz", "", "/readyz");
    assertFits("GET", "/version", "", "/version");
    assertFits("POST", "/admin/gc", "", "/admin/gc");
    assertFits("GET", "/sessions", "", "/sessions");
    assertFits("GET", task + "/output?stream=stdout&line=1", "", "/tasks/{id}/output");
    var body = "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"batch_id\":\"b\"}";
    assertFits("POST", "/tasks", body, "/tasks");
    assertFits("GET", "/batches/b", "", "/batches/{id}");
    assertFits("POST", task + "/cancel", "", "/tasks/{id}/cancel");
    var screen = "/tasks/" + surface.terminal(2, 10) + "/screen";
    assertFits("GET", screen, "", "/tasks/{id}/screen");
  }

  @Test
  void a_refusal_is_what_its_schema_says() throws IOException {
    var refused = json(surface.get("/tasks/nowhere"));

    var schema = api.path("components").path("schemas").path("Problem");
    assertThat(JsonSchema.check(api, schema, refused)).isEmpty();
  }

  private void assertFits(String method, String target, String body, String path)
      throws IOException {
    var answer = surface.call(method, target, Map.of("Accept", "application/json"), body);
    var described =
        api.path("paths").path(path).path(method.toLowerCase(Locale.ROOT)).path("responses");
    var response = described.path(Integer.toString(answer.status()));
    assertThat(response.isMissingNode()).as("%s %d", target, answer.status()).isFalse();
    var schema = response.path("content").path("application/json").path("schema");

    assertThat(JsonSchema.check(api, schema, json(answer))).as("%s %s", method, target).isEmpty();
  }

  private List<Operation> operations() {
    var all = new ArrayList<Operation>();
    for (var path : api.path("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        var method = operation.getKey().toUpperCase(Locale.ROOT);
        all.add(new Operation(method, path.getKey(), operation.getValue()));
      }
    }
    return all;
  }

  private Set<String> parameters(Operation operation, String place) {
    var names = new TreeSet<String>();
    for (var parameter : operation.node().path("parameters")) {
      var resolved = resolved(parameter);
      if (resolved.path("in").stringValue("").equals(place)) {
        names.add(resolved.path("name").stringValue(""));
      }
    }
    return names;
  }

  private JsonNode resolved(JsonNode parameter) {
    return parameter.has("$ref")
        ? api.at(parameter.path("$ref").stringValue("").substring(1))
        : parameter;
  }
}
