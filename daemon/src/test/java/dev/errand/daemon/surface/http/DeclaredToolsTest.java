package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.task.Command;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools of the configuration are listed, called and spawned as the built-in ones are. */
final class DeclaredToolsTest {
  private static final String CONFIG =
      """
      [tools]
      foreground_secs = 1
      [tools.weather]
      argv = ["/usr/bin/env", "weather"]
      description = "Says what the weather is."
      timeout = "30s"
      schema = '{"properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}'
      [tools.plain]
      argv = ["cat"]
      description = "Repeats its arguments."
      [tools.plain.schema.properties.x]
      type = "string"
      [[policy.rule]]
      tool = "weather"
      match = "/usr/bin/env weather '\\\\{\\"city\\":\\"Bern\\".*"
      decision = "allow"
      [[policy.rule]]
      tool = "plain"
      match = "cat '\\\\{\\"x\\":\\"why\\".*"
      decision = "allow"
      justification = "required"
      """;

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder, CONFIG);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void a_declared_tool_is_in_the_catalogue_with_its_schema() throws IOException {
    var tools = json(surface.get("/tools?toolset=declared"));

    assertThat(tools).hasSize(2);
    assertThat(tools.path(0).path("name").stringValue("")).isEqualTo("weather");
    assertThat(tools.path(0).path("description").stringValue(""))
        .isEqualTo("Says what the weather is.");
    assertThat(tools.path(0).path("input_schema").path("required").path(0).stringValue(""))
        .isEqualTo("city");
    assertThat(
            tools
                .path(1)
                .path("input_schema")
                .path("properties")
                .path("x")
                .path("type")
                .stringValue(""))
        .isEqualTo("string");
  }

  @Test
  void a_task_of_it_is_fed_its_arguments_and_has_its_timeout() throws IOException {
    var taskId =
        surface.spawn("{\"tool\":\"weather\",\"args\":{\"city\":\"Bern\"},\"label\":\"w\"}");

    var spec = ((TaskState.Present) surface.engine.snapshot(taskId).state()).facts().spec();
    var command = (Command) spec.work();
    assertThat(command.toolName()).isEqualTo("weather");
    assertThat(command.invocation())
        .isEqualTo(new Invocation.Fed(List.of("/usr/bin/env", "weather"), "{\"city\":\"Bern\"}"));
    assertThat(command.limits().wall()).hasSeconds(30);
    assertThat(spec.origin().label()).isEqualTo("w");
    var status = json(surface.get("/tasks/" + taskId));
    assertThat(status.path("tool").stringValue("")).isEqualTo("weather");
    assertThat(status.path("command").stringValue("")).isEqualTo("/usr/bin/env weather");
  }

  @Test
  void a_call_waits_for_its_task() throws IOException {
    var answer = json(surface.post("/tools/plain", "{\"x\":\"hello\"}")).path("structured");

    assertThat(answer.path("note").stringValue("")).contains("goes on in the background");
    var taskId = new TaskId(answer.path("run_id").stringValue(""));
    var spec = ((TaskState.Present) surface.engine.snapshot(taskId).state()).facts().spec();
    assertThat(((Command) spec.work()).invocation())
        .isEqualTo(new Invocation.Fed(List.of("cat"), "{\"x\":\"hello\"}"));
    assertThat(spec.plan().quota()).isTrue();
  }

  @Test
  void session_and_batch_are_named_beside_the_arguments_of_a_tool() throws IOException {
    var body = "{\"x\":\"hello\",\"session_id\":\"its own\",\"batch_id\":7}";

    var answer = json(surface.post("/tools/plain?session_id=s1&batch_id=night", body));

    var taskId = new TaskId(answer.path("structured").path("run_id").stringValue(""));
    var spec = ((TaskState.Present) surface.engine.snapshot(taskId).state()).facts().spec();
    assertThat(spec.origin().sessionId().value()).isEqualTo("s1");
    assertThat(spec.plan().batchId()).isEqualTo("night");
    assertThat(((Command) spec.work()).invocation())
        .isEqualTo(new Invocation.Fed(List.of("cat"), body));
    var batch = json(surface.post("/tools/task_list?session_id=s1&batch_id=night", "{}"));
    assertThat(batch.path("structured").path("tasks")).hasSize(1);
    assertThat(surface.post("/tools/task_digest?batch_id=night", "{}").status()).isEqualTo(400);
    var two = surface.post("/tools/task_list?session_id=s1", "{\"session_id\":\"s2\"}");
    assertThat(json(two).path("detail").stringValue("")).contains("given twice");
  }

  @Test
  void why_a_tool_is_called_is_said_beside_its_arguments_where_a_rule_demands_it()
      throws IOException {
    var body = "{\"x\":\"why\"}";

    assertThat(code(surface.post("/tools/plain", body))).isEqualTo("JUSTIFICATION_REQUIRED");
    var answer = json(surface.post("/tools/plain?justification=a+trip", body));

    var taskId = new TaskId(answer.path("structured").path("run_id").stringValue(""));
    var frames = surface.get("/tasks/" + taskId + "/events?follow=false").text();
    assertThat(frames).contains("\"justification\":\"a trip\"");
  }

  @Test
  void a_repeat_with_another_batch_is_no_repeat() throws IOException {
    var body = "{\"x\":\"hello\"}";

    assertThat(surface.keyed("POST", "/tools/plain?batch_id=a", "k", body).status()).isEqualTo(200);
    assertThat(code(surface.keyed("POST", "/tools/plain?batch_id=b", "k", body)))
        .isEqualTo("IDEMPOTENCY_CONFLICT");
  }

  @Test
  void arguments_are_held_to_the_schema() throws IOException {
    var refused =
        Map.of(
            "{}", "args.city is missing",
            "{\"city\":1}", "args.city must be of the type \"string\"",
            "{\"city\":\"x\",\"days\":1.5}", "args.days must be of the type \"integer\"",
            "{\"city\":\"x\",\"zip\":1}", "there is no args.zip; known are city, days");
    for (var each : refused.entrySet()) {
      var answer = surface.post("/tools/weather", each.getKey());
      assertThat(answer.status()).isEqualTo(400);
      assertThat(json(answer).path("detail").stringValue("")).isEqualTo(each.getValue());
    }
  }

  @Test
  void the_policy_judges_it_by_its_name_and_arguments() throws IOException {
    var allowed = "{\"tool\":\"weather\",\"args\":{\"city\":\"Bern\"}}";
    var denied = "{\"tool\":\"weather\",\"args\":{\"city\":\"Rome\"}}";

    assertThat(surface.tcpCall("POST", "/tasks", Map.of(), allowed).status()).isEqualTo(201);
    var answer = surface.tcpCall("POST", "/tasks", Map.of(), denied);
    assertThat(code(answer)).isEqualTo("POLICY_DENIED");
    assertThat(json(answer).path("detail").stringValue("")).contains("tool = 'weather'");
    var called = surface.tcpCall("POST", "/tools/weather", Map.of(), "{\"city\":\"Rome\"}");
    assertThat(code(called)).isEqualTo("POLICY_DENIED");
  }

  @Test
  void a_name_that_is_taken_is_refused_at_the_start() {
    var twice = "[tools.\"task_list_x\"]\nargv = ['x']\ndescription = 'x'\n";
    var other = folder.resolve("other");
    assertThat(other.toFile().mkdirs()).isTrue();

    assertThatThrownBy(() -> Surface.start(other, twice.replace("task_list_x", "shell")).close())
        .hasMessageContaining("line 1")
        .hasMessageContaining("named by");
  }
}
