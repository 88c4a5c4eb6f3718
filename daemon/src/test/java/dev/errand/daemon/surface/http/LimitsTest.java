package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.daemon.config.Config;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** At each limit the answer is a problem, or the slow one is cut and can come back. */
final class LimitsTest {
  private static final Duration IDLE = Duration.ofMillis(500);
  private static final int BODY_BYTES_MAX = 2_000;
  private static final int SUBSCRIBERS_MAX = 2;
  private static final int CONNECTIONS_MAX = 4;

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    var times = Surface.times(IDLE, Duration.ofMillis(100));
    var limits =
        new Config.Serving(BODY_BYTES_MAX, 1_000, 100, 60, SUBSCRIBERS_MAX, CONNECTIONS_MAX);
    surface = Surface.start(folder, "127.0.0.1:0", times, limits);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void a_body_over_the_limit_is_refused_declared_or_not() throws IOException {
    assertThat(surface.post("/tasks", " ".repeat(BODY_BYTES_MAX + 1)).status()).isEqualTo(413);
    try (var wire = surface.unix()) {
      wire.request("POST", "/tasks", Map.of("Transfer-Encoding", "chunked"), null);
      wire.send("7d1\r\n" + " ".repeat(BODY_BYTES_MAX + 1) + "\r\n0\r\n\r\n");
      var answer = wire.answer("POST");
      assertThat(answer.status()).isEqualTo(413);
      assertThat(code(answer)).isEqualTo("TOO_LARGE");
    }
  }

  @Test
  void who_sends_too_much_is_heard_out_and_hears_the_answer() throws IOException {
    var size = 8 * 1024 * 1024;
    try (var wire = surface.unix()) {
      wire.request("POST", "/tasks", Map.of("Content-Length", "" + size), null);
      assertThat(wire.answer("POST").status()).isEqualTo(413);

      assertThatCode(() -> wire.send(" ".repeat(size))).doesNotThrowAnyException();
    }
  }

  @Test
  void a_header_over_the_limit_is_a_problem() throws IOException {
    var answer = surface.get("/tasks", Map.of("X-Long", "a".repeat(20_000)));

    assertThat(answer.status()).isEqualTo(431);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(code(answer)).isEqualTo("TOO_LARGE");
  }

  @Test
  void what_is_no_request_is_a_problem() throws IOException {
    try (var wire = surface.unix()) {
      wire.send("HELLO\r\n\r\n");
      var answer = wire.answer("GET");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(code(answer)).isEqualTo("INVALID_REQUEST");
      assertThat(json(answer).path("type").stringValue("")).startsWith("urn:");
    }
  }

  @Test
  void a_body_that_does_not_come_is_not_waited_for() throws IOException {
    try (var wire = surface.unix()) {
      wire.request("POST", "/tasks", Map.of("Content-Length", "100"), null);
      wire.send("{\"tool\":");
      var answer = wire.answer("POST");
      assertThat(answer.status()).isEqualTo(408);
      assertThat(code(answer)).isEqualTo("REQUEST_TIMEOUT");
    }
  }

  @Test
  void a_body_that_comes_byte_by_byte_is_not_waited_for() throws Exception {
    var clock = new SettableClock(Instant.EPOCH);
    try (var moved = Surface.start(folder.resolve("moved"), clock);
        var wire = moved.unix();
        var reading = Executors.newVirtualThreadPerTaskExecutor()) {
      wire.request("POST", "/tasks", Map.of("Content-Length", "1000"), null);
      var answer = reading.submit(() -> wire.answer("POST"));

      await()
          .until(() -> {
            wire.sendIfOpen(" ");
            clock.advance(Duration.ofSeconds(4));
            return answer.isDone();
          });

      assertThat(answer.get().status()).isEqualTo(408);
    }
  }

  /** The second on its connection, which is not known to be over before the first is. */
  @Test
  void a_stream_is_no_slow_head_however_long_it_lasts() throws Exception {
    var clock = new SettableClock(Instant.EPOCH);
    try (var moved = Surface.start(folder.resolve("moved"), clock);
        var wire = moved.unix();
        var reading = Executors.newVirtualThreadPerTaskExecutor()) {
      var taskId = moved.running();
      wire.request("GET", "/version", Map.of(), null);
      assertThat(wire.answer("GET").status()).isEqualTo(200);
      wire.request("GET", "/tasks/" + taskId + "/events", Map.of(), null);
      assertThat(wire.head().status()).isEqualTo(200);

      clock.advance(Duration.ofHours(1));
      var comments = reading.submit(() -> comments(wire, 10));
      await()
          .until(() -> {
            clock.advance(HttpSettings.Times.DEFAULTS.keepAlive());
            return comments.isDone();
          });
      assertThat(comments.get()).isEqualTo(10);
    }
  }

  private static int comments(Wire wire, int wanted) throws IOException {
    var seen = 0;
    while (seen < wanted) {
      var line = wire.bodyLine();
      assertThat(line).isNotNull();
      seen += ": head_seq=2".equals(line) ? 1 : 0;
    }
    return seen;
  }

  @Test
  void subscribers_above_the_limit_are_told_to_come_later() throws IOException {
    var taskId = surface.running();
    var target = "/tasks/" + taskId + "/events";
    try (var first = EventReader.open(surface, target);
        var second = EventReader.open(surface, target)) {
      first.history();
      second.history();
      var third = surface.get(target);
      assertThat(third.status()).isEqualTo(429);
      assertThat(third.header("Retry-After")).isNotEmpty();
      assertThat(third.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(code(third)).isEqualTo("LIMIT_EXCEEDED");
    }
    await().until(() -> surface.http.waiting() == 0);
    EventReader.open(surface, target).close();
  }

  @Test
  void connections_above_the_limit_are_told_so() throws IOException {
    List<Wire> open = new ArrayList<>();
    try {
      for (var i = 0; i < CONNECTIONS_MAX; i++) {
        open.add(surface.unix());
      }
      await().until(() -> surface.get("/version").status() == 429);
    } finally {
      for (var wire : open) {
        wire.close();
      }
    }
    await().until(() -> surface.get("/version").status() == 200);
  }

  @Test
  void who_fills_the_network_door_shuts_nobody_out_of_the_other() throws IOException {
    List<Wire> open = new ArrayList<>();
    try {
      for (var i = 0; i < CONNECTIONS_MAX; i++) {
        open.add(surface.tcp());
      }
      await().until(() -> surface.tcpCall("GET", "/version", Map.of()).status() == 429);

      assertThat(surface.get("/version").status()).isEqualTo(200);
    } finally {
      for (var wire : open) {
        wire.close();
      }
    }
  }

  @Test
  void a_reader_that_does_not_read_is_cut_and_holds_nobody_up() throws IOException {
    var taskId = surface.running();
    var target = "/tasks/" + taskId + "/events";
    var chunk = "x".repeat(8 * 1024);
    var frames = 1_000;
    try (var slow = EventReader.open(surface, target);
        var quick = EventReader.open(surface, target)) {
      slow.history();
      quick.history();
      for (var i = 0; i < frames; i++) {
        surface.hosts.write(taskId, LogStream.STDOUT, chunk);
        assertThat(quick.nextFrame().seq()).isEqualTo(3 + i);
      }
      await().until(() -> surface.http.waiting() == 1);

      // What the kernel had taken still comes, without a gap; then the subscriber comes back.
      var last = 2L;
      try {
        while (true) {
          var frame = slow.nextFrame();
          assertThat(frame.seq()).isEqualTo(last + 1);
          last = frame.seq();
        }
      } catch (IOException _) {
        assertThat(last).isLessThan(2 + frames);
      }
      var again = Map.of("Last-Event-ID", Long.toString(last));
      try (var back = EventReader.open(surface, target, again)) {
        assertThat(back.nextFrame().seq()).isEqualTo(last + 1);
        assertThat(back.history()).hasSize((int) (2 + frames - last - 1));
      }
    }
  }
}
