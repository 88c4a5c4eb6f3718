package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A task is the same whoever started it and whoever looks. */
final class ToolsTest {
  private static final String CONFIG =
      """
      [tools.echo_back]
      argv = ["cat"]
      description = "Prints its arguments."
      """;

  private static final String ONE = "{'task_id':'%s'}";

  private Sandbox sandbox;
  private ErrandClient client;

  @BeforeEach
  void start() throws IOException {
    sandbox = Sandbox.create(CONFIG);
    sandbox.serve();
    client = sandbox.client();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    sandbox.close();
  }

  @Test
  void a_task_started_on_any_surface_reads_the_same_on_all_others() throws Exception {
    var command = "echo out; echo err >&2; exit 3";
    var started = new LinkedHashMap<String, TaskId>();
    started.put("http", client.spawn(NewTask.shell(command)));
    started.put("cli", new TaskId(sandbox.errand("spawn", "--", "bash", "-c", command).line()));
    started.put("shell", id(tool("shell", "{'action':'spawn','command':'%s'}", command), "run_id"));
    started.put("once", id(tool("shell", "{'command':'%s'}", command), "run_id"));
    started.put(
        "verb",
        id(tool("tool.task_spawn", "{'tool':'bash','args':{'command':'%s'}}", command), "task_id"));
    started.put("agents", id(tool("task_spawn", "{'command':'%s'}", command), "task_id"));
    var launch = "{'description':'d','command':'%s'}";
    started.put("background", id(tool("background_task", launch, command), "id"));
    started.put("declared", id(tool("echo_back", "{'x':[1,'two']}", ""), "run_id"));
    started.values().forEach(it -> client.waitEnd(it, Sandbox.PATIENCE));

    var listed = new LinkedHashMap<String, JsonNode>();
    for (var line : sandbox.errand("ls", "--all", "--json").jsonLines()) {
      listed.put(line.path("task_id").stringValue(""), line);
    }
    assertThat(listed).hasSize(started.size());
    for (var each : started.entrySet()) {
      assertSame(each.getKey(), each.getValue(), listed.get(each.getValue().value()));
    }
    assertThat(text(started.get("declared"), LogStream.STDOUT)).isEqualTo("{\"x\":[1,\"two\"]}\n");
    assertThat(text(started.get("shell"), LogStream.STDERR)).isEqualTo("err\n");
  }

  private void assertSame(String from, TaskId taskId, JsonNode listed) throws Exception {
    var status = Json.readRequest(bytes(client.status(taskId).text()));
    var byTool = tool("tool.task_status", "{'task_id':'%s'}", taskId.value());
    assertThat(byTool).as("%s by tool.task_status", from).isEqualTo(WithoutEmpty.of(status));
    assertThat(Json.text(listed)).as("%s by errand ls", from).isEqualTo(Json.text(status));
    assertThat(client.list(TaskFilter.ALL).tasks()).anyMatch(it -> it.taskId().equals(taskId));
    var run = tool("shell", "{'action':'poll','run_id':'%s','since_seq':0}", taskId.value());
    var failed = status.path("exit_code").longValue() != 0;
    assertThat(run.path("status").stringValue("")).isEqualTo(failed ? "failed" : "succeeded");
    assertThat(run.path("exit_code")).isEqualTo(status.path("exit_code"));
    var summary = tool("task_status", "{'task_id':'%s'}", taskId.value()).path("tasks").path(0);
    assertThat(summary.path("status").stringValue("")).isEqualTo(failed ? "failed" : "completed");
    assertThat(summary.path("exit_code").longValue())
        .isEqualTo(status.path("exit_code").longValue());
    for (var stream : new LogStream[] {LogStream.STDOUT, LogStream.STDERR}) {
      var exact = text(taskId, stream);
      var fetched = tool("tool.output_fetch", "{'id':'%s'}", taskId + "." + stream.word());
      assertThat(fetched.path("content").stringValue("")).isEqualTo(exact);
      assertThat(items(run, stream.word())).as("%s by shell", from).isEqualTo(exact);
    }
    assertSameForAgents(from, taskId, status);
    assertSameAtTheShell(from, taskId, status);
  }

  private void assertSameForAgents(String from, TaskId taskId, JsonNode status) {
    var failed = status.path("exit_code").longValue() != 0;
    var listed = tool("task_list", "{'limit':100}", "").path("tasks");
    var row = find(listed, "task_id", taskId);
    var whole = (ObjectNode) tool("task_status", ONE, taskId.value()).path("tasks").path(0);
    whole.remove("command");
    assertThat(row).isEqualTo(whole);
    var joined = tool("task_join", ONE, taskId.value());
    assertThat(joined.path("status")).as("%s by task_join", from).isEqualTo(row.path("status"));
    var output = tool("background_output", ONE, taskId.value());
    assertThat(output.path("status").stringValue("")).isEqualTo(failed ? "error" : "completed");
    assertThat(output.path("exitCode").longValue()).isEqualTo(status.path("exit_code").longValue());
    assertThat(output.path("result"))
        .as("%s by both families", from)
        .isEqualTo(joined.path("result"));
    var record = find(tool("background_list", "{'limit':100}", "").path("tasks"), "id", taskId);
    for (var name : new String[] {"status", "exitCode", "description", "batchId", "progress"}) {
      assertThat(record.path(name)).as("%s: %s", from, name).isEqualTo(output.path(name));
    }
  }

  private static JsonNode find(JsonNode list, String name, TaskId taskId) {
    return list.valueStream()
        .filter(it -> it.path(name).stringValue("").equals(taskId.value()))
        .findFirst()
        .orElseThrow();
  }

  private void assertSameAtTheShell(String from, TaskId taskId, JsonNode status) throws Exception {
    var shown = sandbox.errand("status", taskId.value(), "--json").succeeded().json();
    assertThat(Json.text(shown)).as("%s by errand status", from).isEqualTo(Json.text(status));
    var logs = sandbox.errand("logs", taskId.value()).succeeded();
    assertThat(logs.out()).as("%s by errand logs", from).isEqualTo(text(taskId, LogStream.STDOUT));
    assertThat(logs.err()).as("%s by errand logs", from).isEqualTo(text(taskId, LogStream.STDERR));
  }

  private String text(TaskId taskId, LogStream stream) {
    return new String(client.output(taskId, stream, 0, 1 << 20).bytes(), StandardCharsets.UTF_8);
  }

  private static String items(JsonNode run, String type) {
    var text = new StringBuilder();
    for (var item : run.path("items")) {
      if (item.path("type").stringValue("").equals(type)) {
        text.append(item.path("payload").stringValue(""));
      }
    }
    return text.toString();
  }

  private static TaskId id(JsonNode answer, String name) {
    return new TaskId(answer.path(name).stringValue(""));
  }

  private JsonNode tool(String name, String arguments, String value) {
    var body = arguments.replace('\'', '"').formatted(value);
    return client.tools().call(name, bytes(body)).object("structured").node();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
