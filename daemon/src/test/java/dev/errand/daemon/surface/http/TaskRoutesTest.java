package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tasks are made, listed, looked at and removed over HTTP. */
final class TaskRoutesTest {
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
  void a_longer_time_than_the_daemon_gives_is_refused_by_name() throws IOException {
    var answer =
        surface.post(
            "/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"x\"},\"timeout_secs\":86401}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text())
        .contains("timeout_secs is 86401", "at most 86400", "max_timeout_secs");
  }

  @Test
  void a_spawn_is_answered_with_the_id_and_the_place_of_the_task() throws IOException {
    var answer = surface.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}");

    assertThat(answer.status()).isEqualTo(201);
    var taskId = json(answer).path("task_id").stringValue("");
    assertThat(answer.header("Location")).isEqualTo("/tasks/" + taskId);
    var status = json(surface.get("/tasks/" + taskId));
    assertThat(status.path("status").stringValue("")).isEqualTo("queued");
    assertThat(status.path("session_id").stringValue("")).isEqualTo("cli");
    assertThat(status.path("cwd").stringValue("")).isEqualTo(folder.toString());
  }

  @Test
  void the_value_of_a_secret_is_entrusted_to_the_hosts_and_in_no_frame() throws IOException {
    var body =
        "{\"tool\":\"bash\",\"args\":{\"command\":\"make\","
            + "\"env\":{\"KEY\":\"hunter2-value\"},\"secret_env\":[\"KEY\"]}}";

    var taskId = json(surface.post("/tasks", body)).path("task_id").stringValue("");

    assertThat(surface.hosts.applied()).contains("entrust Environment[KEY][]");
    var frames = surface.get("/tasks/" + taskId + "/events?follow=false").text();
    assertThat(frames).contains("\"secret_env\":[\"KEY\"]").doesNotContain("hunter2-value");
  }

  @Test
  void a_spawn_in_a_folder_that_is_not_there_is_refused() throws IOException {
    var answer =
        surface.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"x\",\"cwd\":\"nope\"}}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(code(answer)).isEqualTo("INVALID_REQUEST");
    assertThat(json(answer).path("detail").stringValue("")).contains("nope").contains("no folder");
  }

  @Test
  void a_spawn_in_a_file_is_refused() throws IOException {
    Files.createFile(folder.resolve("file"));

    var answer =
        surface.post("/tasks", "{\"tool\":\"bash\",\"args\":{\"command\":\"x\",\"cwd\":\"file\"}}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(json(answer).path("detail").stringValue("")).contains("not a folder");
  }

  @Test
  void what_is_not_json_is_refused_with_the_place() throws IOException {
    var answer = surface.post("/tasks", "{\"tool\":");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(json(answer).path("detail").stringValue("")).contains("line 1");
  }

  @Test
  void lists_are_pages_newest_first() throws IOException {
    var ids = new ArrayList<String>();
    for (var i = 0; i < 5; i++) {
      ids.addFirst(surface.spawn().value());
    }

    var seen = new ArrayList<String>();
    var target = "/tasks?limit=2&session_id=cli";
    while (!target.isEmpty()) {
      var page = surface.get(target);
      json(page).forEach(it -> seen.add(it.path("task_id").stringValue("")));
      var link = page.header("Link");
      target = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
    }

    assertThat(seen).isEqualTo(ids);
  }

  @Test
  void lists_are_filtered() throws IOException {
    var running = surface.running();
    var ended = surface.running();
    surface.hosts.exit(ended, 0, null);
    surface.spawn("{\"tool\":\"bash\",\"args\":{\"command\":\"x\"},\"label\":\"build\"}");

    assertThat(json(surface.get("/tasks?status=exited,failed"))).hasSize(1);
    assertThat(json(surface.get("/tasks?active=true"))).hasSize(2);
    assertThat(json(surface.get("/tasks?label=build"))).hasSize(1);
    assertThat(json(surface.get("/tasks?status=running")).path(0).path("task_id").stringValue(""))
        .isEqualTo(running.value());
    assertThat(surface.get("/tasks?status=done").status()).isEqualTo(400);
    assertThat(surface.get("/tasks?colour=red").status()).isEqualTo(400);
    assertThat(surface.get("/tasks?limit=100000").status()).isEqualTo(400);
  }

  @Test
  void a_prefix_finds_the_tasks_whose_ids_begin_so() throws IOException {
    var taskId = surface.spawn().value();

    assertThat(json(surface.get("/tasks?id_prefix=" + taskId))).hasSize(1);
    assertThat(json(surface.get("/tasks?id_prefix=" + taskId.substring(0, 8)))).hasSize(1);
    assertThat(json(surface.get("/tasks?id_prefix=ffff"))).isEmpty();
    assertThat(surface.get("/tasks?id_prefix=%2Fetc").status()).isEqualTo(400);
  }

  @Test
  void an_unknown_task_is_not_found_and_a_removed_one_is_gone() throws IOException {
    var taskId = surface.running();
    assertThat(code(surface.call("DELETE", "/tasks/" + taskId, Map.of(), null)))
        .isEqualTo("TASK_NOT_ENDED");
    surface.hosts.exit(taskId, 0, null);

    var removed = surface.call("DELETE", "/tasks/" + taskId, Map.of(), null);

    assertThat(removed.status()).isEqualTo(204);
    assertThat(surface.get("/tasks/" + taskId).status()).isEqualTo(410);
    assertThat(code(surface.get("/tasks/" + taskId))).isEqualTo("TASK_REMOVED");
    assertThat(surface.get("/tasks/00000000-0000-7000-8000-00000000ffff").status()).isEqualTo(404);
    assertThat(surface.get("/tasks/nonsense").status()).isEqualTo(404);
  }

  @Test
  void the_first_delivery_of_a_result_is_told_and_a_look_at_a_running_task_is_not()
      throws IOException {
    var taskId = surface.running();
    surface.get("/tasks/" + taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "hi");
    assertThat(surface.reads()).isEmpty();
    surface.hosts.exit(taskId, 0, null);

    surface.get("/tasks/" + taskId);

    await().untilAsserted(() -> assertThat(surface.reads()).containsExactly(taskId + " cli"));
  }

  @Test
  void what_is_not_there_is_a_problem_and_a_wrong_method_names_the_right_ones() throws IOException {
    var missing = surface.get("/nowhere");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(code(missing)).isEqualTo("NOT_FOUND");

    var wrong = surface.call("PATCH", "/tasks", Map.of(), null);
    assertThat(wrong.status()).isEqualTo(405);
    assertThat(wrong.header("Allow")).isEqualTo("GET, POST");
  }

  @Test
  void a_field_by_a_wrong_name_or_in_a_wrong_place_is_told_the_right_one() throws IOException {
    assertThat(refusal("{'tool_name':'bash'}")).contains("write it as tool");
    assertThat(refusal("{'tool':'bash','command':'make'}")).contains("write it as args.command");
    assertThat(refusal("{'tool':'bash','args':{'command':'make'},'cwd':'/'}"))
        .contains("write it as args.cwd");
    assertThat(refusal("{'tool':'bash','arguments':{'command':'make'}}"))
        .contains("write it as args");
    assertThat(refusal("{'tool':'bash','args':{'command':'make','timeout_secs':5}}"))
        .contains("no field args.timeout_secs; write it as timeout_secs");
  }

  @Test
  void the_most_that_a_timeout_may_be_is_told() throws IOException {
    assertThat(refusal("{'tool':'bash','args':{'command':'make'},'timeout_secs':40000000}"))
        .contains("86400 unless it is set");
    assertThat(refusal("{'tool':'bash','args':{'command':'make'},'timeout_secs':90000}"))
        .contains("at most 86400");
  }

  @Test
  void the_refusal_is_on_record_in_the_session_that_the_task_was_wanted_for() throws IOException {
    refusal("{'tool':'bash','session_id':'build','args':{}}");
    surface.post("/tools/shell", "{\"session_id\":\"build\",\"action\":\"spawn\"}");
    surface.post("/tools/task_spawn", "{\"session_id\":\"build\",\"cmd\":\"make\"}");
    surface.post("/tools/background_task", "{\"session_id\":\"build\",\"command\":\"make\"}");

    assertThat(rejected("build"))
        .extracting(it -> it.path("detail").stringValue(""))
        .satisfiesExactly(
            it -> assertThat(it).contains("args.command or args.argv is missing"),
            it -> assertThat(it).contains("the field command is missing"),
            it -> assertThat(it).contains("no field cmd"),
            it -> assertThat(it).contains("the field description is missing"));
  }

  @Test
  void what_is_no_json_is_a_refused_spawn_of_the_callers_own_session() throws IOException {
    refusal("{not json");

    assertThat(rejected("cli"))
        .singleElement()
        .satisfies(it -> assertThat(it.path("detail").stringValue("")).contains("not JSON"));
  }

  @Test
  void a_spawn_that_is_refused_before_it_is_read_is_on_record() throws IOException {
    var body = "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}";

    assertThat(surface.post("/tasks?nope=1", body).status()).isEqualTo(400);
    assertThat(surface.keyed("POST", "/tasks", "two words", body).status()).isEqualTo(400);

    assertThat(rejected("cli"))
        .extracting(it -> it.path("detail").stringValue(""))
        .satisfiesExactly(
            it -> assertThat(it).contains("unknown query parameter nope"),
            it -> assertThat(it).contains("Idempotency-Key"));
  }

  @Test
  void a_tool_call_that_cannot_be_read_is_on_record_if_it_would_have_started_a_task()
      throws IOException {
    surface.post("/tools/shell", "{not json");
    surface.post("/tools/task_spawn?nope=1", "{}");
    surface.post("/tools/background_task", "[]");
    surface.post("/tools/tool.task_spawn?session_id=%20", "{\"tool\":\"bash\"}");
    surface.post("/tools/shell?nope=1", "{\"action\":\"poll\"}");
    surface.post("/tools/task_list", "{not json");

    assertThat(rejected("cli"))
        .extracting(it -> it.path("tool_name").stringValue(""))
        .containsExactly("shell", "bash", "bash", "bash");
  }

  @Test
  void a_refused_spawn_is_on_record_and_many_of_them_are_counted() throws IOException {
    for (var i = 0; i < 50; i++) {
      refusal("{'tool':'bash','args':{'command':'make','cwd':'/nowhere/at/all'}}");
    }
    var frames = rejected("cli");

    assertThat(frames).hasSize(20);
    var frame = frames.getFirst();
    assertThat(frame.path("code").stringValue("")).isEqualTo("INVALID_REQUEST");
    assertThat(frame.path("tool_name").stringValue("")).isEqualTo("bash");
    assertThat(frame.path("detail").stringValue("")).contains("/nowhere/at/all");
    assertThat(frame.path("by").stringValue("")).isNotEmpty();
  }

  private List<JsonNode> rejected(String session) throws IOException {
    var path = "/events?limit=1000&session_id=" + session;
    return json(surface.get(path, Map.of("Accept", "application/json")))
        .valueStream()
        .filter(it -> it.path("type").stringValue("").equals("tool_task_rejected"))
        .toList();
  }

  private String refusal(String body) throws IOException {
    var answer = surface.post("/tasks", body.replace('\'', '"'));
    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    return json(answer).path("detail").stringValue("");
  }
}
