package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The routes, asked over TCP by a client that knows nothing of Errand. */
final class HttpAdapter implements SurfaceAdapter {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String address;
  private final String token;

  HttpAdapter(String address, String token) {
    this.address = address;
    this.token = token;
  }

  @Override
  public Map<ParityVerb, String> gaps() {
    return Map.of();
  }

  private String send(String method, String target, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://" + address + target))
            .header("Authorization", "Bearer " + token)
            .timeout(Sandbox.PATIENCE)
            .method(method, BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString(UTF_8));
    assertThat(answer.statusCode())
        .as("%s %s: %s", method, target, answer.body())
        .isBetween(200, 299);
    return answer.body();
  }

  private JsonNode get(String target) throws Exception {
    return JsonMapper.shared().readTree(send("GET", target, ""));
  }

  private JsonNode post(String target, ObjectNode body) throws Exception {
    return JsonMapper.shared().readTree(send("POST", target, body.toString()));
  }

  private static ObjectNode body() {
    return JsonMapper.shared().createObjectNode();
  }

  private static String path(TaskId taskId, String rest) {
    return "/tasks/" + taskId + rest;
  }

  @Override
  public TaskId spawn(String commandLine) throws Exception {
    var body = body().put("tool", "bash");
    body.putObject("args").put("command", commandLine);
    return new TaskId(post("/tasks", body).path("task_id").stringValue(""));
  }

  @Override
  public JsonNode status(TaskId taskId) throws Exception {
    return get(path(taskId, ""));
  }

  @Override
  public Map<TaskId, String> list() throws Exception {
    return get("/tasks?limit=1000")
        .valueStream()
        .collect(
            toMap(
                it -> new TaskId(it.path("task_id").stringValue("")),
                it -> it.path("status").stringValue("")));
  }

  @Override
  public String output(TaskId taskId, LogStream stream) throws Exception {
    return get(path(taskId, "/output?stream=" + stream.word())).path("content").stringValue("");
  }

  @Override
  public List<Long> search(TaskId taskId, String pattern) throws Exception {
    var found = get(path(taskId, "/output?search=" + URLEncoder.encode(pattern, UTF_8)));
    return found.path("matches").valueStream().map(it -> it.path("line").longValue()).toList();
  }

  @Override
  public List<String> events(TaskId taskId) throws Exception {
    return send("GET", path(taskId, "/events"), "")
        .lines()
        .filter(it -> it.startsWith("data:"))
        .map(it -> JsonMapper.shared().readTree(it.substring("data:".length())))
        // The event caught_up is no frame.
        .filter(it -> it.has("type"))
        .map(it -> it.path("type").stringValue(""))
        .toList();
  }

  @Override
  public long await(TaskId taskId) throws Exception {
    return post(path(taskId, "/wait"), body()).path("exit_code").longValue();
  }

  @Override
  public void cancel(TaskId taskId, String reason) throws Exception {
    post(path(taskId, "/cancel"), body().put("reason", reason));
  }

  @Override
  public void signal(TaskId taskId, String signal) throws Exception {
    post(path(taskId, "/signal"), body().put("signal", signal));
  }

  @Override
  public void stdin(TaskId taskId, String text) throws Exception {
    post(path(taskId, "/stdin"), body().put("text", text).put("eof", true));
  }

  @Override
  public void resize(TaskId taskId, int rows, int cols) throws Exception {
    post(path(taskId, "/resize"), body().put("rows", rows).put("cols", cols));
  }

  @Override
  public String screen(TaskId taskId) throws Exception {
    return send("GET", path(taskId, "/screen?format=text"), "");
  }

  @Override
  public void approve(TaskId taskId) throws Exception {
    send("POST", path(taskId, "/approve"), "");
  }

  @Override
  public void deny(TaskId taskId, String reason) throws Exception {
    post(path(taskId, "/deny"), body().put("reason", reason));
  }

  @Override
  public void remove(TaskId taskId) throws Exception {
    send("DELETE", path(taskId, ""), "");
  }

  @Override
  public String store(String text) throws Exception {
    var stored = JsonMapper.shared().readTree(send("PUT", "/artifacts", text));
    return stored.path("artifact_id").stringValue("");
  }

  @Override
  public String fetch(String artifactId) throws Exception {
    return send("GET", "/artifacts/" + artifactId, "");
  }

  @Override
  public void close() {
    http.close();
  }
}
