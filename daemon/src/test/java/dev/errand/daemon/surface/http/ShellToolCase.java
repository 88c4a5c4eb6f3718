package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskFacts;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Calls the tool {@code shell} of a real surface, and reads what it answers. */
abstract class ShellToolCase {
  @TempDir Path folder;
  Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder, "[tools]\nforeground_secs = 1\n");
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  TaskId printed(String... texts) throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    for (var text : texts) {
      surface.hosts.write(taskId, LogStream.STDOUT, text);
    }
    return taskId;
  }

  String pagedThrough(TaskId taskId, String stream) throws IOException {
    var text = new StringBuilder();
    var at = 0L;
    while (true) {
      var page = log(taskId, "'stream':'" + stream + "','limit':7,'since_seq':" + at);
      if (page.path("items").isEmpty()) {
        return text.toString();
      }
      page.path("items").forEach(it -> text.append(it.path("payload").stringValue("")));
      at = page.path("next_seq").longValue();
    }
  }

  TaskId spawn(String more) throws IOException {
    var body = "{'action':'spawn','command':'make'" + (more.isEmpty() ? "" : ",") + more + "}";
    return new TaskId(structured(shell(body)).path("run_id").stringValue(""));
  }

  JsonNode poll(TaskId taskId, long since) throws IOException {
    return structured(
        shell("{'action':'poll','run_id':'" + taskId + "','since_seq':" + since + "}"));
  }

  JsonNode log(TaskId taskId, String more) throws IOException {
    return structured(shell("{'action':'log','run_id':'" + taskId + "'," + more + "}"));
  }

  static List<String> payloads(JsonNode page) {
    var payloads = new ArrayList<String>();
    page.path("items").forEach(it -> payloads.add(it.path("payload").stringValue("")));
    return payloads;
  }

  static JsonNode structured(JsonNode answer) {
    return answer.path("structured");
  }

  CompletableFuture<JsonNode> inBackground(String arguments) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return shell(arguments);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  JsonNode shell(String arguments) throws IOException {
    var answer = call(arguments);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return json(answer);
  }

  Wire.Answer call(String arguments) throws IOException {
    return surface.post("/tools/shell", arguments.replace('\'', '"'));
  }

  /** The one task there is, as soon as it is there. */
  TaskId only() throws IOException {
    await().until(() -> json(surface.get("/tasks")).size() == 1);
    return new TaskId(json(surface.get("/tasks")).path(0).path("task_id").stringValue(""));
  }

  TaskFacts known(TaskId taskId) {
    return ((TaskState.Present) surface.engine.snapshot(taskId).state()).facts();
  }

  /** The beginning of an id that texts show. */
  static String brief(TaskId taskId) {
    return taskId.value().substring(0, 18);
  }

  static Map<String, String> accept() {
    return Map.of("Accept", "application/json");
  }
}
