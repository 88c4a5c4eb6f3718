package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Tokens;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions over HTTP: listed, shown, ended, and opened again by their next task. */
final class SessionRoutesTest {
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
  void a_session_shows_how_many_tasks_wait_run_and_are_over() throws IOException {
    surface.hosts.start(surface.spawn(task("a")));
    var ended = surface.spawn(task("a"));
    surface.hosts.start(ended);
    surface.hosts.exit(ended, 0, null);
    surface.fill();
    surface.spawn(task("a"));
    surface.spawn(task("b"));

    var a = json(surface.get("/sessions/a"));

    assertThat(a.path("tasks").toString()).isEqualTo("{\"queued\":1,\"running\":1,\"ended\":1}");
    assertThat(a.path("last_activity_at_ms").longValue(0)).isPositive();
    assertThat(a.path("ended_at_ms").isNull()).isTrue();
    assertThat(json(surface.get("/sessions?limit=1")).size()).isEqualTo(1);
    assertThat(surface.get("/sessions?limit=1").headers().get("link")).contains("cursor=a");
    assertThat(json(surface.get("/sessions?cursor=a")).path(0).path("session_id").stringValue(""))
        .isEqualTo("b");
  }

  @Test
  void an_ended_session_leaves_its_tasks_alone_and_opens_with_the_next_one() throws IOException {
    var taskId = surface.spawn(task("a"));

    assertThat(surface.call("DELETE", "/sessions/a", Map.of(), null).status()).isEqualTo(204);
    assertThat(surface.call("DELETE", "/sessions/a", Map.of(), null).status()).isEqualTo(204);

    assertThat(json(surface.get("/sessions/a")).path("ended_at_ms").longValue(0)).isPositive();
    assertThat(surface.get("/tasks/" + taskId).status()).isEqualTo(200);
    surface.spawn(task("a"));
    assertThat(json(surface.get("/sessions/a")).path("ended_at_ms").isNull()).isTrue();
    var frames = surface.get("/events?session_id=a&follow=false");
    assertThat(new String(frames.body(), StandardCharsets.UTF_8))
        .containsOnlyOnce("\"session_ended\"")
        .containsOnlyOnce("\"session_opened\"");
  }

  @Test
  void a_session_that_nobody_used_is_not_there() throws IOException {
    assertThat(surface.get("/sessions/none").status()).isEqualTo(404);
    assertThat(surface.call("DELETE", "/sessions/none", Map.of(), null).status()).isEqualTo(404);
    assertThat(surface.get("/sessions/%20").status()).isEqualTo(400);
  }

  @Test
  void a_bound_token_sees_its_own_session_only() throws IOException {
    surface.spawn(task("a"));
    surface.spawn(task("b"));
    var token =
        surface
            .tokens
            .mint(
                new Tokens.Manager.Owner("cli"),
                new Tokens.NewToken("t", Profile.FULL_AUTO, new SessionId("a")))
            .token();
    var headers = Map.of("Authorization", "Bearer " + token);

    assertThat(json(surface.tcpCall("GET", "/sessions", headers)).size()).isEqualTo(1);
    assertThat(surface.tcpCall("GET", "/sessions/a", headers).status()).isEqualTo(200);
    var foreign = surface.tcpCall("GET", "/sessions/b", headers);
    assertThat(code(foreign)).isEqualTo("NOT_FOUND");
    assertThat(surface.tcpCall("DELETE", "/sessions/b", headers).status()).isEqualTo(404);
    assertThat(new String(foreign.body(), StandardCharsets.UTF_8).replace("/b", "/none"))
        .isEqualTo(
            new String(
                    surface.tcpCall("GET", "/sessions/none", headers).body(),
                    StandardCharsets.UTF_8)
                .replace("session none", "session b"));
  }

  @Test
  void who_is_neither_the_owner_nor_of_the_session_changes_nothing_of_it() throws IOException {
    surface.spawn(task("a"));
    var token =
        surface
            .tokens
            .mint(new Tokens.Manager.Owner("cli"), new Tokens.NewToken("t", Profile.SAFE, null))
            .token();
    var headers = Map.of("Authorization", "Bearer " + token);

    assertThat(code(surface.tcpCall("DELETE", "/sessions/a", headers))).isEqualTo("FORBIDDEN");
    assertThat(code(surface.tcpCall("DELETE", "/sessions/a/webhook", headers)))
        .isEqualTo("FORBIDDEN");
    assertThat(surface.tcpCall("GET", "/sessions/a", headers).status()).isEqualTo(200);
  }

  @Test
  void a_session_with_a_task_that_is_trusted_more_is_not_ended_by_one_of_its_own()
      throws IOException {
    surface.close();
    surface = Surface.start(folder, "[[policy.rule]]\nmatch = 'make'\ndecision = 'allow'\n");
    var safe = shown(Profile.SAFE, "safe");
    var full = shown(Profile.FULL_AUTO, "full");
    var own = surface.tcpCall("POST", "/tasks", safe, task("a"));
    assertThat(own.status()).isEqualTo(201);
    assertThat(surface.tcpCall("DELETE", "/sessions/a", safe).status()).isEqualTo(204);

    var trusted = surface.spawn(task("a"));
    assertThat(code(surface.tcpCall("DELETE", "/sessions/a", safe))).isEqualTo("FORBIDDEN");
    // Its results would go with the session, so it counts after its end as well.
    surface.hosts.start(trusted);
    surface.hosts.exit(trusted, 0, null);
    assertThat(code(surface.tcpCall("DELETE", "/sessions/a", safe))).isEqualTo("FORBIDDEN");
    assertThat(json(surface.get("/sessions/a")).path("ended_at_ms").isNull()).isTrue();
    assertThat(surface.tcpCall("DELETE", "/sessions/a", full).status()).isEqualTo(204);
  }

  /** The header of a token that is bound to session a. */
  private Map<String, String> shown(Profile profile, String name) {
    var wanted = new Tokens.NewToken(name, profile, new SessionId("a"));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    return Map.of("Authorization", "Bearer " + token);
  }

  private static String task(String session) {
    return "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"session_id\":\"%s\"}"
        .formatted(session);
  }
}
