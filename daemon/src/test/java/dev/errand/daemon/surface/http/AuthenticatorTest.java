package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who enters by TCP has a token, calls us by our own name, and is no foreign web page. */
final class AuthenticatorTest {
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
  void the_token_opens_the_door() throws IOException {
    var answer = surface.tcpCall("GET", "/tasks", Map.of());
    var small = Map.of("Authorization", "bearer " + Surface.TOKEN);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(surface.tcpCall("GET", "/tasks", small).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer wrong", "Bearer ", "Basic open-sesame", "open-sesame"})
  void without_the_token_nothing_is_told(String authorization) throws IOException {
    var headers = Map.of("Authorization", authorization);

    for (var target : new String[] {"/tasks", "/metrics", "/version", "/readyz", "/nowhere"}) {
      var answer = surface.tcpCall("GET", target, headers);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(code(answer)).isEqualTo("UNAUTHENTICATED");
      assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
    }
    var health = surface.tcpCall("GET", "/healthz", headers);
    assertThat(health.status()).isEqualTo(200);
    assertThat(health.text()).isEqualTo("ok\n");
  }

  @Test
  void our_own_names_are_let_in_and_others_are_not() throws IOException {
    var port = surface.tcpAddress().getPort();
    for (var host : new String[] {"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port}) {
      assertThat(surface.tcpCall("GET", "/tasks", Map.of("Host", host)).status()).isEqualTo(200);
    }
    for (var host :
        new String[] {
          "evil.example:" + port,
          "127.0.0.1:" + port + ".evil.example",
          "localhost",
          "localhost.:" + port,
          "127.0.0.1:1"
        }) {
      assertThat(surface.tcpCall("GET", "/healthz", Map.of("Host", host)).status())
          .as(host)
          .isIn(400, 403);
    }
  }

  @Test
  void foreign_web_pages_are_refused() throws IOException {
    var own = "http://" + surface.tcpHost();
    assertThat(surface.tcpCall("GET", "/tasks", Map.of("Origin", own)).status()).isEqualTo(200);
    for (var origin : new String[] {"http://evil.example", "null", own + ".evil.example", "*"}) {
      var answer = surface.tcpCall("GET", "/tasks", Map.of("Origin", origin));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
    }
    assertThat(surface.tcpCall("GET", "/tasks", Map.of("Sec-Fetch-Site", "cross-site")).status())
        .isEqualTo(403);
  }

  @Test
  void a_task_spawned_by_tcp_belongs_to_the_tokens_session() throws IOException {
    surface.close();
    surface = Surface.start(folder, "[[policy.rule]]\nmatch = 'x'\ndecision = 'allow'\n");
    try (var wire = surface.tcp()) {
      var headers = Map.of("Host", surface.tcpHost(), "Authorization", "Bearer " + Surface.TOKEN);
      var body =
          "{\"tool\":\"bash\",\"args\":{\"command\":\"x\"}}".getBytes(StandardCharsets.UTF_8);
      wire.request("POST", "/tasks", headers, body);
      assertThat(wire.answer("POST").status()).isEqualTo(201);
    }
    assertThat(json(surface.get("/tasks?session_id=default"))).hasSize(1);
  }
}
