package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The tools of agents: of the sets {@code tasks} and {@code shell}. */
record ToolsAdapter(ErrandClient client) implements SurfaceAdapter {
  private static final String PERSON = "a person answers, not an agent that asks for itself";

  @Override
  public Map<ParityVerb, String> gaps() {
    return Map.of(
        ParityVerb.APPROVE, PERSON,
        ParityVerb.DENY, PERSON,
        ParityVerb.REMOVE,
            "background_clear removes all ended tasks of a session, and no single one");
  }

  private JsonNode call(String tool, ObjectNode arguments) {
    return client
        .tools()
        .call(tool, arguments.toString().getBytes(UTF_8))
        .object("structured")
        .node();
  }

  private static ObjectNode one(TaskId taskId) {
    return arguments().put("task_id", taskId.value());
  }

  private static ObjectNode arguments() {
    return JsonMapper.shared().createObjectNode();
  }

  @Override
  public TaskId spawn(String commandLine) {
    var arguments = arguments().put("tool", "bash");
    arguments.putObject("args").put("command", commandLine);
    return new TaskId(call("tool.task_spawn", arguments).path("task_id").stringValue(""));
  }

  @Override
  public JsonNode status(TaskId taskId) {
    return call("tool.task_status", one(taskId));
  }

  @Override
  public Map<TaskId, String> list() {
    return call("task_list", arguments().put("limit", 100))
        .path("tasks")
        .valueStream()
        .collect(
            toMap(
                it -> new TaskId(it.path("task_id").stringValue("")),
                it -> it.path("status").stringValue("")));
  }

  @Override
  public String output(TaskId taskId, LogStream stream) {
    var id = taskId + "." + stream.word();
    return call("tool.output_fetch", arguments().put("id", id)).path("content").stringValue("");
  }

  @Override
  public List<Long> search(TaskId taskId, String pattern) {
    return call("task_search_output", one(taskId).put("pattern", pattern))
        .path("matches")
        .valueStream()
        .map(it -> it.path("line").longValue())
        .toList();
  }

  @Override
  public List<String> events(TaskId taskId) {
    return call("tool.task_stream_events", one(taskId))
        .path("events")
        .valueStream()
        .map(it -> it.path("type").stringValue(""))
        .toList();
  }

  @Override
  public long await(TaskId taskId) {
    return call("task_join", one(taskId)).path("exit_code").longValue();
  }

  @Override
  public void cancel(TaskId taskId, String reason) {
    call("tool.task_cancel", one(taskId).put("reason", reason));
  }

  @Override
  public void signal(TaskId taskId, String signal) {
    call("tool.task_signal", one(taskId).put("signal", signal));
  }

  @Override
  public void stdin(TaskId taskId, String text) {
    call("tool.task_write_stdin", one(taskId).put("text", text).put("eof", true));
  }

  @Override
  public void resize(TaskId taskId, int rows, int cols) {
    call("tool.task_resize", one(taskId).put("rows", rows).put("cols", cols));
  }

  @Override
  public String screen(TaskId taskId) {
    return call("task_screen", one(taskId)).path("lines").toString();
  }

  @Override
  public String store(String text) {
    var stored = call("tool.output_store", arguments().put("content", text));
    return stored.path("artifact_id").stringValue("");
  }

  @Override
  public String fetch(String artifactId) {
    var fetched = call("tool.output_fetch", arguments().put("id", artifactId));
    return fetched.path("content").stringValue("");
  }
}
