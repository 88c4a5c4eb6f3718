package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.config.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A token opens what it was made for, for as long as it is good, and nothing beside. */
final class TokenRoutesTest {
  private static final String SPAWN = "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}";

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    var times = Surface.times(Duration.ofSeconds(10), Duration.ofMillis(50));
    surface = Surface.start(folder, "127.0.0.1:0", times, Config.DEFAULTS.serving());
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private String mint(String body) throws IOException {
    var answer = surface.post("/tokens", body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    return json(answer).path("token").stringValue("");
  }

  private static Map<String, String> shown(String token) {
    return Map.of("Authorization", "Bearer " + token);
  }

  private Wire.Answer as(String token, String method, String target) throws IOException {
    return surface.tcpCall(method, target, shown(token));
  }

  private TaskId taskOf(String session) throws IOException {
    return surface.spawn(SPAWN + ",\"session_id\":\"" + session + "\"}");
  }

  @Test
  void a_minted_token_is_told_once_and_opens_the_door() throws IOException {
    var token = mint("{\"name\":\"ci\"}");

    assertThat(as(token, "GET", "/tasks").status()).isEqualTo(200);
    var listed = surface.get("/tokens").text();
    assertThat(listed).contains("\"ci\"", "\"safe\"", "\"cli\"").doesNotContain(token);
  }

  /** A request whose body ends only when its token has been revoked. */
  private Wire.Answer revokedMeanwhile(String target, String body) throws IOException {
    var token = surface.owner("slow");
    try (var wire = surface.tcp()) {
      var headers =
          Map.of(
              "Host",
              surface.tcpHost(),
              "Authorization",
              "Bearer " + token,
              "Content-Length",
              "" + body.length());
      wire.request("POST", target, headers, null);
      wire.send(body.substring(0, 5));
      // It was let in when it is under way beside the one that asks here.
      await()
          .until(() -> surface.get("/metrics").text().contains("errand_http_requests_under_way 2"));
      surface.call("DELETE", "/tokens/slow", Map.of(), null);
      wire.send(body.substring(5));
      return wire.answer("POST");
    }
  }

  @Test
  void a_token_that_is_revoked_before_the_request_is_whole_does_nothing() throws IOException {
    assertThat(revokedMeanwhile("/tokens", "{\"name\":\"heir\"}").status()).isEqualTo(401);
    assertThat(revokedMeanwhile("/tasks", SPAWN + "}").status()).isEqualTo(401);

    assertThat(json(surface.get("/tokens"))).hasSize(1);
    assertThat(json(surface.get("/tasks"))).isEmpty();
  }

  @Test
  void a_token_that_revokes_itself_is_told_so() throws IOException {
    var token = mint("{\"name\":\"ci\"}");

    assertThat(as(token, "DELETE", "/tokens/ci").text()).isEqualTo("{\"revoked\":[\"ci\"]}");
    assertThat(as(token, "GET", "/tasks").status()).isEqualTo(401);
  }

  @Test
  void a_revoked_or_rotated_token_is_refused_from_then_on() throws IOException {
    var token = mint("{\"name\":\"ci\"}");
    var rotated = surface.post("/tokens/ci/rotate", "");
    var fresh = json(rotated).path("token").stringValue("");
    assertThat(as(token, "GET", "/tasks").status()).isEqualTo(401);
    assertThat(as(fresh, "GET", "/tasks").status()).isEqualTo(200);

    var revoked = surface.call("DELETE", "/tokens/ci", Map.of(), null);

    assertThat(revoked.text()).isEqualTo("{\"revoked\":[\"ci\"]}");
    assertThat(as(fresh, "GET", "/tasks").status()).isEqualTo(401);
    assertThat(surface.call("DELETE", "/tokens/ci", Map.of(), null).status()).isEqualTo(404);
  }

  @Test
  void an_open_stream_ends_with_its_token() throws IOException {
    var token = mint("{\"name\":\"ci\"}");
    var taskId = surface.running();
    var headers =
        Map.of("Authorization", "Bearer " + token, "Host", surface.tcpHost(), "Accept", "*/*");
    try (var wire = surface.tcp()) {
      wire.request("GET", "/tasks/" + taskId + "/events", headers, null);
      assertThat(wire.head().status()).isEqualTo(200);
      await().until(() -> surface.http.waiting() == 1);

      surface.call("DELETE", "/tokens/ci", Map.of(), null);
      surface.hosts.write(taskId, LogStream.STDOUT, "for others only");

      var text = new StringBuilder();
      assertThatThrownBy(
              () -> {
                for (var line = wire.bodyLine(); ; line = wire.bodyLine()) {
                  text.append(line);
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(text).contains("tool_task_spawned").doesNotContain("for others only");
    }
    await().until(() -> surface.http.waiting() == 0);
  }

  @Test
  void what_was_waited_for_is_not_told_to_a_token_that_is_gone() throws IOException {
    var token = mint("{\"name\":\"ci\"}");
    var taskId = surface.running();
    try (var wire = surface.tcp()) {
      var headers = Map.of("Authorization", "Bearer " + token, "Host", surface.tcpHost());
      wire.request("POST", "/tasks/" + taskId + "/wait", headers, new byte[] {'{', '}'});
      await().until(() -> surface.http.waiting() == 1);

      surface.call("DELETE", "/tokens/ci", Map.of(), null);
      surface.hosts.exit(taskId, 0, null);

      var answer = wire.answer("POST");
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.text()).doesNotContain("exited");
    }
  }

  @Test
  void a_token_that_renews_itself_learns_the_new_one() throws IOException {
    var token = mint("{\"name\":\"ci\"}");

    var fresh = json(as(token, "POST", "/tokens/ci/rotate")).path("token").stringValue("");

    assertThat(as(fresh, "GET", "/tasks").status()).isEqualTo(200);
  }

  @Test
  void a_token_that_a_token_made_owns_no_session_by_its_name() throws IOException {
    var ci = mint("{\"name\":\"ci\"}");
    taskOf("victim");
    var body = "{\"name\":\"victim\"}".getBytes(StandardCharsets.UTF_8);
    try (var wire = surface.tcp()) {
      var headers = Map.of("Authorization", "Bearer " + ci, "Host", surface.tcpHost());
      wire.request("POST", "/tokens", headers, body);
      var victim = json(wire.answer("POST")).path("token").stringValue("");

      assertThat(as(victim, "GET", "/tasks").status()).isEqualTo(200);
      assertThat(as(victim, "DELETE", "/sessions/victim").status()).isEqualTo(403);
    }
  }

  @Test
  void a_bound_token_sees_its_session_and_nothing_beside() throws IOException {
    var token = mint("{\"name\":\"a1\",\"session_id\":\"a\"}");
    var own = taskOf("a");
    var foreign = taskOf("b");

    assertThat(as(token, "GET", "/tasks/" + own).status()).isEqualTo(200);
    for (var target : new String[] {"", "/events", "/output?stream=stdout"}) {
      var answer = as(token, "GET", "/tasks/" + foreign + target);
      var unknown = as(token, "GET", "/tasks/00000000-0000-7000-8000-000000000000" + target);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.text()).isEqualTo(unknown.text());
    }
    assertThat(as(token, "GET", "/logs/" + foreign + ".stdout").status()).isEqualTo(404);
    assertThat(as(token, "POST", "/tasks/" + foreign + "/cancel").status()).isEqualTo(404);
    assertThat(as(token, "DELETE", "/tasks/" + foreign).status()).isEqualTo(404);
    assertThat(ids(json(as(token, "GET", "/tasks")))).isEqualTo(own.value());
    assertThat(as(token, "GET", "/tasks?session_id=b").status()).isEqualTo(403);
    assertThat(ids(json(as(token, "GET", "/tasks?id_prefix=0")))).isEqualTo(own.value());
    var events = surface.tcpCall("GET", "/events?follow=false", shown(token));
    assertThat(events.text()).contains(own.value()).doesNotContain(foreign.value());
  }

  @Test
  void an_upload_belongs_to_its_session_and_its_digest_opens_nothing_to_others()
      throws IOException {
    var a = mint("{\"name\":\"a1\",\"session_id\":\"a\"}");
    var b = mint("{\"name\":\"b1\",\"session_id\":\"b\"}");
    var id = upload(a, "/artifacts", "of a");
    var target = "/artifacts/" + id;

    assertThat(as(a, "GET", target).text()).isEqualTo("of a");
    assertThat(surface.get(target).text()).isEqualTo("of a");
    assertThat(code(as(b, "GET", target))).isEqualTo("ARTIFACT_NOT_FOUND");
    assertThat(as(b, "HEAD", target).status()).isEqualTo(404);
    assertThat(fetched(b, id)).doesNotContain("of a");
    assertThat(fetched(a, id)).contains("of a");

    upload(b, "/artifacts", "of a");
    assertThat(as(b, "GET", target).text()).isEqualTo("of a");
  }

  @Test
  void whoever_sees_a_session_may_upload_for_it() throws IOException {
    var a = mint("{\"name\":\"a1\",\"session_id\":\"a\"}");
    var owner = mint("{\"name\":\"o\",\"profile\":\"full-auto\"}");
    var target = "/artifacts/" + upload(owner, "/artifacts?session_id=a", "for a");

    assertThat(as(a, "GET", target).text()).isEqualTo("for a");
    var foreign = surface.tcpCall("PUT", "/artifacts?session_id=b", shown(a), "x");
    assertThat(code(foreign)).isEqualTo("FORBIDDEN");
  }

  private String upload(String token, String target, String content) throws IOException {
    var answer = surface.tcpCall("PUT", target, shown(token), content);
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    return json(answer).path("artifact_id").stringValue("");
  }

  private String fetched(String token, String id) throws IOException {
    var arguments = "{\"id\":\"" + id + "\"}";
    return surface.tcpCall("POST", "/tools/tool.output_fetch", shown(token), arguments).text();
  }

  private static String ids(JsonNode tasks) {
    var ids = new StringBuilder();
    for (var task : tasks) {
      ids.append(task.path("task_id").stringValue(""));
    }
    return ids.toString();
  }

  @Test
  void a_bound_token_spawns_into_its_session_only() throws IOException {
    var token = mint("{\"name\":\"a1\",\"session_id\":\"a\",\"profile\":\"full-auto\"}");
    assertThat(spawnAs(token, SPAWN + "}").status()).isEqualTo(201);
    assertThat(spawnAs(token, SPAWN + ",\"session_id\":\"b\"}").status()).isEqualTo(403);

    assertThat(json(surface.get("/tasks?session_id=a"))).hasSize(1);
    assertThat(json(surface.get("/tasks?session_id=b"))).isEmpty();
  }

  private Wire.Answer spawnAs(String token, String body) throws IOException {
    try (var wire = surface.tcp()) {
      var headers = Map.of("Authorization", "Bearer " + token, "Host", surface.tcpHost());
      wire.request("POST", "/tasks", headers, body.getBytes(StandardCharsets.UTF_8));
      return wire.answer("POST");
    }
  }

  @Test
  void only_the_owner_commands_the_daemon() throws IOException {
    var safe = mint("{\"name\":\"s\"}");
    var bound = mint("{\"name\":\"b\",\"profile\":\"full-auto\",\"session_id\":\"x\"}");
    var owner = mint("{\"name\":\"o\",\"profile\":\"full-auto\"}");

    for (var token : new String[] {safe, bound}) {
      assertThat(code(as(token, "POST", "/admin/shutdown"))).isEqualTo("FORBIDDEN");
      assertThat(code(as(token, "POST", "/admin/gc"))).isEqualTo("FORBIDDEN");
    }
    assertThat(as(owner, "POST", "/admin/gc").status()).isEqualTo(200);
    assertThat(surface.admin).containsExactly("gc");
  }

  @Test
  void figures_of_all_sessions_are_not_for_a_bound_token() throws IOException {
    var bound = mint("{\"name\":\"b\",\"profile\":\"full-auto\",\"session_id\":\"x\"}");
    var safe = mint("{\"name\":\"s\"}");

    assertThat(code(as(bound, "GET", "/metrics"))).isEqualTo("FORBIDDEN");
    assertThat(as(safe, "GET", "/metrics").status()).isEqualTo(200);
    assertThat(as(bound, "GET", "/readyz").status()).isEqualTo(200);
  }

  @Test
  void on_the_socket_a_token_takes_rights_away() throws IOException {
    var safe = mint("{\"name\":\"s\"}");

    assertThat(surface.call("POST", "/admin/gc", shown(safe), "").status()).isEqualTo(403);
    assertThat(surface.call("POST", "/admin/gc", shown("wrong"), "").status()).isEqualTo(401);
    var empty = Map.of("Authorization", "");
    assertThat(surface.call("POST", "/admin/gc", empty, "").status()).isEqualTo(401);
    assertThat(surface.post("/admin/gc", "").status()).isEqualTo(200);
  }

  @Test
  void what_is_no_name_or_profile_is_refused() throws IOException {
    for (var body :
        new String[] {
          "{}",
          "{\"name\":\"\"}",
          "{\"name\":\"../x\"}",
          "{\"name\":\"a\",\"profile\":\"root\"}",
          "{\"name\":\"a\",\"session_id\":\"a b\"}",
          "{\"name\":\"a\",\"scope\":\"all\"}"
        }) {
      assertThat(surface.post("/tokens", body).status()).as(body).isEqualTo(400);
    }
    mint("{\"name\":\"a\"}");
    assertThat(surface.post("/tokens", "{\"name\":\"a\"}").status()).isEqualTo(409);
  }
}
