package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The catalogue is listed, and its tools are called, over HTTP. */
final class ToolRoutesTest {
  private static final String STATUS = "/tools/tool.task_status";

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void the_list_says_of_each_tool_what_a_caller_must_know() throws IOException {
    var names = new HashSet<String>();
    for (var tool : json(surface.get("/tools"))) {
      assertThat(names.add(tool.path("name").stringValue(""))).isTrue();
      assertThat(tool.path("title").stringValue("")).isNotBlank();
      assertThat(tool.path("description").stringValue("")).isNotBlank();
      assertThat(tool.path("toolset").stringValue("")).isNotBlank();
      assertThat(tool.path("input_schema").path("type").stringValue("")).isEqualTo("object");
      assertThat(tool.path("annotations").propertyNames())
          .containsExactlyInAnyOrder("read_only", "destructive", "idempotent", "open_world");
    }
    assertThat(names).contains("tool_task_status");
    assertThat(json(surface.get("/tools?toolset=nothing"))).isEmpty();
  }

  @Test
  void a_call_answers_with_a_structure_and_a_short_text() throws IOException {
    var taskId = surface.running();

    var answer = json(call("{\"task_id\":\"" + taskId + "\"}"));

    var status = (ObjectNode) json(surface.get("/tasks/" + taskId));
    assertThat(answer.path("structured")).isEqualTo(withoutEmpty(status));
    assertThat(answer.path("text").stringValue(""))
        .isEqualTo(taskId.value().substring(0, 18) + " running: make");
    assertThat(answer.path("is_error").booleanValue(true)).isFalse();
  }

  @Test
  void a_call_that_changes_something_leaves_an_audit_line_and_one_that_reads_does_not()
      throws IOException {
    var taskId = surface.running();
    try (var audit = new AuditLines()) {
      call("{\"task_id\":\"" + taskId + "\"}");
      surface.post("/tools/tool.task_cancel", "{\"task_id\":\"" + taskId + "\"}");

      assertThat(audit.lines()).containsExactly("cli unix cancel " + taskId + " -> ok");
    }
  }

  @Test
  void an_unknown_tool_is_told_which_there_are() throws IOException {
    var answer = surface.post("/tools/nothing", "{}");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(json(answer).path("detail").stringValue("")).contains("tool_task_status");
  }

  @Test
  void an_argument_that_a_tool_does_not_know_is_refused_by_name() throws IOException {
    var answer = call("{\"task_id\":\"" + surface.running() + "\",\"colour\":\"red\"}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(json(answer).path("detail").stringValue("")).contains("colour").contains("task_id");
  }

  @Test
  void arguments_that_are_no_object_are_refused() throws IOException {
    assertThat(call("[1]").status()).isEqualTo(400);
    assertThat(call("").status()).isEqualTo(400);
  }

  @Test
  void the_beginning_of_an_id_is_enough_if_only_one_begins_so() throws IOException {
    var first = surface.running().value();

    assertThat(call("{\"task_id\":\"" + first.substring(0, 8) + "\"}").status()).isEqualTo(200);

    surface.running();
    var answer = call("{\"task_id\":\"" + first.substring(0, 8) + "\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(json(answer).path("detail").stringValue("")).contains("several task ids");
  }

  @Test
  void a_task_of_another_session_looks_unknown() throws IOException {
    var taskId = surface.running().value();
    var theirs = bound("theirs");

    for (var arguments :
        new String[] {
          "{\"task_id\":\"" + taskId + "\"}", "{\"task_id\":\"" + taskId.substring(0, 8) + "\"}"
        }) {
      var answer = surface.tcpCall("POST", STATUS, theirs, arguments);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(code(answer)).isEqualTo("TASK_NOT_FOUND");
    }
    var named = "{\"task_id\":\"" + taskId + "\",\"session_id\":\"cli\"}";
    assertThat(surface.tcpCall("POST", STATUS, theirs, named).status()).isEqualTo(403);
  }

  @Test
  void what_a_caller_started_elsewhere_is_found_where_it_is() throws IOException {
    var taskId =
        surface.spawn("{\"tool\":\"bash\",\"args\":{\"command\":\"x\"},\"session_id\":\"other\"}");

    assertThat(call("{\"task_id\":\"" + taskId + "\"}").status()).isEqualTo(404);
    assertThat(call("{\"task_id\":\"" + taskId + "\",\"session_id\":\"other\"}").status())
        .isEqualTo(200);
    assertThat(call("{\"task_id\":\"" + taskId + "\",\"session_id\":\"cli\"}").status())
        .isEqualTo(404);
  }

  @Test
  void a_removed_task_is_told_when_and_why_to_its_session_only() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);
    surface.call("DELETE", "/tasks/" + taskId, Map.of(), null);

    var answer = call("{\"task_id\":\"" + taskId + "\"}");

    assertThat(code(answer)).isEqualTo("TASK_REMOVED");
    assertThat(json(answer).path("detail").stringValue("")).contains("removed at");
    var foreign =
        surface.tcpCall("POST", STATUS, bound("theirs"), "{\"task_id\":\"" + taskId + "\"}");
    assertThat(code(foreign)).isEqualTo("TASK_NOT_FOUND");
  }

  /** Answers of tools say nothing of what is not there. */
  private static JsonNode withoutEmpty(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.forEach(ToolRoutesTest::withoutEmpty);
      object.removeIf(it -> it.isNull() || (it.isContainer() && it.isEmpty()));
    }
    return node;
  }

  private Wire.Answer call(String arguments) throws IOException {
    return surface.post(STATUS, arguments);
  }

  private Map<String, String> bound(String session) {
    var wanted = new Tokens.NewToken(session, Profile.FULL_AUTO, new SessionId(session));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    return Map.of("Authorization", "Bearer " + token);
  }
}
