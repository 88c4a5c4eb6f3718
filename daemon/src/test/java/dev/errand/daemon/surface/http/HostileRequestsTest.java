package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.daemon.config.Config;
import dev.errand.testkit.SettableClock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a web page or a broken client sends by TCP: nothing is run, and others are served. */
final class HostileRequestsTest {
  private static final String SPAWN = "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}";

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    var times = Surface.times(Duration.ofMillis(500), Duration.ofSeconds(15));
    surface = Surface.start(folder, "127.0.0.1:0", times, Config.DEFAULTS.serving());
  }

  /** Nothing was run, and the next caller is served. */
  @AfterEach
  void stop() throws IOException {
    try (var _ = surface) {
      assertThat(json(surface.get("/tasks"))).isEmpty();
    }
  }

  private Wire.Answer send(String method, Map<String, String> headers, String body)
      throws IOException {
    var all = new HashMap<>(Map.of("Host", surface.tcpHost()));
    all.putAll(headers);
    try (var wire = surface.tcp()) {
      wire.request(method, "/tasks", all, body.getBytes(StandardCharsets.UTF_8));
      return wire.answer(method);
    }
  }

  @Test
  void a_form_of_a_foreign_page_is_refused_with_and_without_the_token() throws IOException {
    var form = Map.of("Content-Type", "text/plain", "Origin", "http://evil.example");
    assertThat(send("POST", form, SPAWN).status()).isEqualTo(403);
    var withToken = new HashMap<>(form);
    withToken.put("Authorization", "Bearer " + Surface.TOKEN);
    assertThat(send("POST", withToken, SPAWN).status()).isEqualTo(403);
    assertThat(send("POST", Map.of("Content-Type", "text/plain"), SPAWN).status()).isEqualTo(401);
    assertThat(send("POST", Map.of("Origin", "null"), SPAWN).status()).isEqualTo(403);
  }

  @Test
  void a_name_that_was_rebound_to_us_is_refused() throws IOException {
    var port = surface.tcpAddress().getPort();
    var rebound =
        Map.of("Host", "evil.example:" + port, "Authorization", "Bearer " + Surface.TOKEN);

    assertThat(send("POST", rebound, SPAWN).status()).isEqualTo(403);
  }

  @Test
  void a_web_socket_of_a_foreign_page_is_refused() throws IOException {
    var upgrade =
        Map.of(
            "Connection", "Upgrade",
            "Upgrade", "websocket",
            "Sec-WebSocket-Version", "13",
            "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
            "Authorization", "Bearer " + Surface.TOKEN,
            "Origin", "http://evil.example");

    assertThat(send("GET", upgrade, "").status()).isEqualTo(403);
  }

  @Test
  void a_token_in_the_address_counts_for_nothing() throws IOException {
    try (var wire = surface.tcp()) {
      var headers = Map.of("Host", surface.tcpHost());
      wire.request("GET", "/tasks?token=" + Surface.TOKEN, headers, null);
      assertThat(wire.answer("GET").status()).isEqualTo(401);
    }
  }

  @Test
  void a_header_without_end_is_cut_off() throws IOException {
    try (var wire = surface.tcp()) {
      wire.send("GET /tasks HTTP/1.1\r\nHost: " + surface.tcpHost() + "\r\nX-Long: ");
      var part = "a".repeat(1 << 20);
      // A gigabyte, if it were taken: the answer, or the closed connection, comes long before.
      assertThatThrownBy(
              () -> {
                for (var i = 0; i < 1_024; i++) {
                  wire.send(part);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_head_that_comes_too_slowly_is_given_up() throws IOException {
    try (var wire = surface.tcp()) {
      wire.send("GET /tasks HTTP/1.1\r\nHost: ");
      assertThatThrownBy(wire::head).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void a_head_that_comes_byte_by_byte_is_given_up() throws IOException {
    var clock = new SettableClock(Instant.EPOCH);
    try (var moved = Surface.start(folder.resolve("moved"), clock);
        var wire = moved.tcp();
        var reading = Executors.newVirtualThreadPerTaskExecutor()) {
      wire.send("GET /tasks HTTP/1.1\r\nX-Slow: ");
      var head = reading.submit(wire::head);

      await()
          .until(() -> {
            wire.sendIfOpen("a");
            clock.advance(HttpSettings.Times.DEFAULTS.idle());
            return head.isDone();
          });

      assertThatThrownBy(head::get).hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void a_query_that_cannot_be_read_is_the_callers_mistake() throws IOException {
    var answer = surface.tcpCall("GET", "/healthz?%zz", Map.of());

    assertThat(answer.status()).isEqualTo(400);
    assertThat(code(answer)).isEqualTo("INVALID_REQUEST");
  }

  @Test
  void a_query_that_a_route_does_not_know_is_told_what_it_knows() throws IOException {
    assertThat(detail("/healthz?x=1")).isEqualTo("unknown query parameter x; this route has none");
    assertThat(detail("/tools?x=1"))
        .isEqualTo("unknown query parameter x; known are: set, toolset");
  }

  private String detail(String target) throws IOException {
    return json(surface.get(target)).path("detail").stringValue("");
  }

  @Test
  void junk_behind_a_request_is_refused_and_not_run() throws IOException {
    for (var junk :
        List.of(
            "\0\1\2\3\r\n\r\n",
            "POST /tasks HTTP/9.9\r\n\r\n" + SPAWN,
            "POST /tasks HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "POST /tasks HTTP/1.1\r\nHost: "
                + surface.tcpHost()
                + "\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + SPAWN,
            "POST /tasks HTTP/1.1\r\nHost: " + surface.tcpHost() + "\r\nContent-Length: -1\r\n\r\n",
            "POST http://evil.example/tasks HTTP/1.1\r\nHost: " + surface.tcpHost() + "\r\n\r\n",
            "POST /../tasks HTTP/1.1\r\nHost: " + surface.tcpHost() + "\r\n\r\n",
            "\r\n".repeat(10_000))) {
      try (var wire = surface.tcp()) {
        var headers = Map.of("Host", surface.tcpHost());
        wire.request("GET", "/healthz", headers, null);
        assertThat(wire.answer("GET").status()).isEqualTo(200);
        wire.send(junk);
        refusedOrCut(wire);
      }
    }
  }

  @Test
  void what_two_readers_could_take_for_two_things_is_refused() throws IOException {
    var shown = "Authorization: Bearer " + Surface.TOKEN + "\r\n";
    for (var head :
        List.of(
            "GET /tasks HTTP/1.1\r\n" + shown + shown,
            "GET /tasks HTTP/1.1\r\n" + shown + "Authorization: Bearer wrong\r\n",
            "GET /tasks HTTP/1.1\r\n" + shown + "Idempotency-Key: a\r\nIdempotency-Key: b\r\n",
            "GET /tasks?limit=1&limit=2 HTTP/1.1\r\n" + shown,
            "GET /tasks;a=b HTTP/1.1\r\n" + shown,
            "GET /sessions;a=b/x HTTP/1.1\r\n" + shown,
            "GET /admin/../tasks HTTP/1.1\r\n" + shown,
            "GET /./tasks HTTP/1.1\r\n" + shown,
            "GET /admin/%2e%2e/tasks HTTP/1.1\r\n" + shown)) {
      try (var wire = surface.tcp()) {
        wire.send(head + "Host: " + surface.tcpHost() + "\r\n\r\n");
        var answer = wire.answer("GET");
        assertThat(answer.status()).as(head).isEqualTo(400);
        assertThat(code(answer)).as(head).isEqualTo("INVALID_REQUEST");
      }
    }
  }

  @Test
  void a_line_that_ends_without_its_carriage_return_is_refused() throws IOException {
    var shown = "Authorization: Bearer " + Surface.TOKEN;
    for (var head :
        List.of(
            "GET /tasks HTTP/1.1\nHost: " + surface.tcpHost() + "\n" + shown + "\n\n",
            "GET /tasks HTTP/1.1\r\nHost: " + surface.tcpHost() + "\n" + shown + "\r\n\r\n",
            "GET /tasks HTTP/1.1\r\nHost: " + surface.tcpHost() + "\r\n" + shown + "\r\n\n")) {
      try (var wire = surface.tcp()) {
        wire.send(head);
        assertThat(wire.answer("GET").status()).as(head).isEqualTo(400);
      }
    }
  }

  @Test
  void a_body_in_another_encoding_than_utf_8_is_refused() throws IOException {
    for (var encoding :
        List.of(
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16LE,
            StandardCharsets.UTF_16BE,
            StandardCharsets.UTF_32LE,
            StandardCharsets.UTF_32BE)) {
      try (var wire = surface.unix()) {
        wire.request("POST", "/tasks", Map.of(), SPAWN.getBytes(encoding));
        var answer = wire.answer("POST");
        assertThat(answer.status()).as(encoding.name()).isEqualTo(400);
        assertThat(answer.text()).contains("UTF-8");
      }
    }
  }

  @Test
  void json_that_calls_itself_something_else_than_utf_8_is_refused() throws IOException {
    var headers =
        Map.of(
            "Content-Type",
            "application/json; charset=utf-16",
            "Authorization",
            "Bearer " + Surface.TOKEN);

    var answer = send("POST", headers, SPAWN);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("utf-16", "UTF-8");
  }

  private static void refusedOrCut(Wire wire) {
    try {
      // 505 is for a version of HTTP that nobody speaks; any other of its kind would be our fault.
      assertThat(wire.answer("POST").status()).matches(it -> it / 100 == 4 || it == 505);
    } catch (IOException _) {
      // Closed without a word, which is as good.
    }
  }

  @Test
  void many_idle_connections_keep_nobody_out() throws IOException {
    var idle = new ArrayList<Wire>();
    try {
      for (var i = 0; i < 500; i++) {
        idle.add(surface.tcp());
      }
      assertThat(surface.tcpCall("GET", "/tasks", Map.of()).status()).isEqualTo(200);
      for (var wire : idle) {
        assertThatThrownBy(wire::head).isInstanceOf(EOFException.class);
      }
    } finally {
      for (var wire : idle) {
        wire.close();
      }
    }
  }
}
