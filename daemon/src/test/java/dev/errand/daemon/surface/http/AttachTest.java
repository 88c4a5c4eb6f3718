package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.attach.FirstScreen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attached clients on real sockets: what they see, what they may do, and how they are ended. */
@Timeout(30)
final class AttachTest {
  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface =
        Surface.start(
            folder, "[attach]\nmax_clients_per_task = 2\nmax_message_bytes = \"16KiB\"\n");
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private static String target(TaskId taskId, String query) {
    return "/tasks/" + taskId + "/attach?stream=stdout" + query;
  }

  private SocketWire attach(TaskId taskId, String query) throws IOException {
    return SocketWire.open(surface.unix(), target(taskId, query), Map.of());
  }

  private SocketWire attachByToken(TaskId taskId, String query, String token) throws IOException {
    var headers = Map.of("Host", surface.tcpHost(), "Authorization", "Bearer " + token);
    return SocketWire.open(surface.tcp(), target(taskId, query), headers);
  }

  @Test
  void a_client_is_greeted_and_then_sees_each_byte_with_its_offset() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "before\n");
    try (var client = attach(taskId, "")) {
      var hello = client.next().json();
      assertThat(hello.path("type").stringValue("")).isEqualTo("hello");
      assertThat(hello.path("task_id").stringValue("")).isEqualTo(taskId.value());
      assertThat(hello.path("stream").stringValue("")).isEqualTo("stdout");
      assertThat(hello.path("mode").stringValue("")).isEqualTo("control");
      assertThat(hello.path("offset").longValue()).isEqualTo(7);

      surface.hosts.write(taskId, LogStream.STDERR, "not of this stream\n");
      surface.hosts.write(taskId, LogStream.STDOUT, "now\n");
      var first = client.next();
      assertThat(first.offset()).isEqualTo(7);
      assertThat(first.output()).isEqualTo("now\n");
      surface.hosts.write(taskId, LogStream.STDOUT, "then\n");
      var second = client.next();
      assertThat(second.offset()).isEqualTo(11);
      assertThat(second.output()).isEqualTo("then\n");
    }
  }

  @Test
  void a_client_that_names_its_offset_gets_what_it_lacks_and_nothing_else() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "0123456789");
    try (var client = attach(taskId, "&from=4")) {
      assertThat(client.message("hello").path("offset").longValue()).isEqualTo(4);
      var frame = client.next();
      assertThat(frame.offset()).isEqualTo(4);
      assertThat(frame.output()).isEqualTo("456789");
    }
    try (var client = attach(taskId, "&from=0&after_seq=-1")) {
      assertThat(client.message("hello").path("seq").longValue()).isEqualTo(-1);
      assertThat(client.next().output()).isEqualTo("0123456789");
    }
    try (var client = attach(taskId, "&from=10")) {
      client.message("hello");
      surface.hosts.write(taskId, LogStream.STDOUT, "more");
      assertThat(client.next().output()).isEqualTo("more");
    }
    assertThat(attempt(taskId, "&from=15").status()).isEqualTo(416);
  }

  private Wire.Answer attempt(TaskId taskId, String query) throws IOException {
    return surface.get(target(taskId, query), SocketWire.UPGRADE);
  }

  @Test
  void long_output_comes_in_messages_of_64_kib_at_most() throws IOException {
    var taskId = surface.running();
    var text = "0123456789abcdef".repeat(20_000);
    surface.hosts.write(taskId, LogStream.STDOUT, text);
    try (var client = attach(taskId, "&from=0")) {
      client.message("hello");
      var seen = new StringBuilder();
      while (seen.length() < text.length()) {
        var frame = client.next();
        assertThat(frame.payload()).hasSizeLessThanOrEqualTo(64 * 1024);
        assertThat(frame.offset()).isEqualTo(seen.length());
        seen.append(frame.output());
      }
      assertThat(seen).hasToString(text);
    }
  }

  @Test
  void what_the_cap_took_is_told_in_its_place() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "0123456789");
    surface.logs.drop(taskId, LogStream.STDOUT, 3, 7);
    try (var client = attach(taskId, "&from=0")) {
      client.message("hello");
      assertThat(client.next().output()).isEqualTo("012");
      var gap = client.next().json();
      assertThat(gap.path("type").stringValue("")).isEqualTo("gap");
      assertThat(gap.path("from").longValue()).isEqualTo(3);
      assertThat(gap.path("to").longValue()).isEqualTo(7);
      var rest = client.next();
      assertThat(rest.offset()).isEqualTo(7);
      assertThat(rest.output()).isEqualTo("789");
    }
  }

  @Test
  void typed_input_is_applied_in_order_and_acknowledged_when_recorded() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      client.message("hello");
      for (var i = 0; i < 50; i++) {
        client.text("{\"type\":\"stdin\",\"text\":\"%d\",\"write_id\":\"w%d\"}".formatted(i, i));
      }
      for (var i = 0; i < 50; i++) {
        var ack = client.message("ack");
        assertThat(ack.path("write_id").stringValue("")).isEqualTo("w" + i);
        assertThat(ack.path("bytes_written").longValue()).isEqualTo(Integer.toString(i).length());
      }
    }
    assertThat(surface.hosts.applied()).startsWith("stdin 0", "stdin 1", "stdin 2").hasSize(50);
  }

  @Test
  void a_repeated_write_is_acknowledged_and_not_written_again() throws IOException {
    var taskId = surface.running();
    var write = "{\"type\":\"stdin\",\"chunk_b64\":\"aGk=\",\"write_id\":\"once\"}";
    for (var i = 0; i < 2; i++) {
      try (var client = attach(taskId, "")) {
        client.text(write);
        assertThat(client.message("ack").path("write_id").stringValue("")).isEqualTo("once");
      }
    }
    assertThat(surface.hosts.applied()).containsExactly("stdin hi");
  }

  @Test
  void who_only_looks_is_refused_each_input_and_goes_on_looking() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "&view=true")) {
      assertThat(client.message("hello").path("mode").stringValue("")).isEqualTo("view");
      client.text("{\"type\":\"stdin\",\"text\":\"x\",\"write_id\":\"w7\"}");
      var refused = client.message("error");
      assertThat(refused.path("code").stringValue("")).isEqualTo("FORBIDDEN");
      assertThat(refused.path("write_id").stringValue("")).isEqualTo("w7");
      client.text("{\"type\":\"resize\",\"rows\":1,\"cols\":1}");
      assertThat(client.message("error").path("code").stringValue("")).isEqualTo("FORBIDDEN");
      surface.hosts.write(taskId, LogStream.STDOUT, "still here");
      assertThat(client.next().output()).isEqualTo("still here");
    }
    assertThat(surface.hosts.applied()).isEmpty();
  }

  @Test
  void the_audit_has_a_line_for_each_verb_and_outcome_of_a_client() throws IOException {
    var taskId = surface.running();
    try (var audit = new AuditLines();
        var client = attach(taskId, "");
        var view = attach(taskId, "&view=true")) {
      for (var i = 0; i < 3; i++) {
        client.text("{\"type\":\"stdin\",\"text\":\"x\",\"write_id\":\"w%d\"}".formatted(i));
        client.message("ack");
      }
      client.text("{\"type\":\"resize\",\"rows\":5,\"cols\":5}");
      client.message("error");
      for (var i = 0; i < 2; i++) {
        view.text("{\"type\":\"stdin\",\"text\":\"y\"}");
        view.message("error");
      }

      var each = "cli unix %s " + taskId + " -> %s";
      await()
          .untilAsserted(() ->
              assertThat(audit.lines())
                  .containsExactlyInAnyOrder(
                      each.formatted("stdin", "ok"),
                      each.formatted("resize", "INVALID_REQUEST"),
                      each.formatted("stdin", "FORBIDDEN")));
    }
  }

  @Test
  void the_end_of_the_task_is_told_with_its_status_and_ends_the_connection() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      client.message("hello");
      surface.hosts.write(taskId, LogStream.STDOUT, "last words");
      surface.hosts.exit(taskId, 3, null);
      assertThat(client.next().output()).isEqualTo("last words");
      var end = client.next().json();
      assertThat(end.path("type").stringValue("")).isEqualTo("end");
      assertThat(end.path("exit_code").longValue()).isEqualTo(3);
      assertThat(client.next().closeCode()).isEqualTo(1000);
    }
    assertThat(surface.reads()).contains(taskId + " cli");
  }

  @Test
  void an_ended_task_can_be_attached_to_as_recorded() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "recorded");
    surface.hosts.exit(taskId, 0, null);
    try (var client = attach(taskId, "&from=0")) {
      client.message("hello");
      assertThat(client.next().output()).isEqualTo("recorded");
      assertThat(client.next().json().path("status").stringValue("")).isEqualTo("exited");
      assertThat(client.next().closeCode()).isEqualTo(1000);
    }
    try (var client = attach(taskId, "")) {
      client.message("hello");
      assertThat(client.next().json().path("type").stringValue("")).isEqualTo("end");
    }
  }

  @Test
  void each_of_two_writes_under_one_id_is_answered() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      for (var i = 0; i < 3; i++) {
        client.text("{\"type\":\"stdin\",\"text\":\"x\",\"write_id\":\"same\"}");
      }
      for (var i = 0; i < 3; i++) {
        assertThat(client.message("ack").path("write_id").stringValue("")).isEqualTo("same");
      }
    }
    assertThat(surface.hosts.applied()).containsExactly("stdin x");
  }

  @Test
  void who_comes_late_is_told_the_size_of_the_place_where_it_begins() throws IOException {
    var taskId = surface.terminal();
    surface.hosts.write(taskId, LogStream.PTY, "ab");
    surface.post("/tasks/" + taskId + "/resize", "{\"rows\":30,\"cols\":100}");
    surface.hosts.write(taskId, LogStream.PTY, "cd");
    surface.post("/tasks/" + taskId + "/resize", "{\"rows\":40,\"cols\":120}");
    assertBegins(taskId, 0, 24, "ab", 30, "cd", 40);
    assertBegins(taskId, 1, 24, "b", 30, "cd", 40);
    assertBegins(taskId, 2, 30, "cd", 40);
    assertBegins(taskId, 3, 30, "d", 40);
    assertBegins(taskId, 4, 40);
  }

  /** The rows at the beginning, then output and the rows of each change, in their order. */
  private void assertBegins(TaskId taskId, int from, int rows, Object... then) throws IOException {
    var target = "/tasks/" + taskId + "/attach?from=" + from;
    try (var client = SocketWire.open(surface.unix(), target, Map.of())) {
      assertThat(client.message("hello").path("rows").intValue()).isEqualTo(rows);
      for (var due : then) {
        var next = client.next();
        if (due instanceof String text) {
          assertThat(next.output()).isEqualTo(text);
        } else {
          assertThat(next.json().path("rows").intValue()).isEqualTo(due);
        }
      }
    }
  }

  @Test
  void a_terminal_begins_with_its_screen_and_goes_on_behind_it() throws IOException {
    var taskId = surface.terminal();
    surface.hosts.write(taskId, LogStream.PTY, "0123456789");
    surface.screen = (_, _) -> new FirstScreen.Drawn("drawn", 7, 2);
    try (var client = SocketWire.open(surface.unix(), "/tasks/" + taskId + "/attach", Map.of())) {
      var hello = client.next().json();
      assertThat(hello.path("stream").stringValue("")).isEqualTo("pty");
      assertThat(hello.path("rows").longValue()).isEqualTo(24);
      assertThat(hello.path("cols").longValue()).isEqualTo(80);
      var screen = client.next().json();
      assertThat(screen.path("ansi").stringValue("")).isEqualTo("drawn");
      assertThat(screen.path("offset").longValue()).isEqualTo(7);
      var rest = client.next();
      assertThat(rest.offset()).isEqualTo(7);
      assertThat(rest.output()).isEqualTo("789");
    }
  }

  @Test
  void the_window_of_who_came_typed_or_resized_last_is_the_size_of_the_terminal()
      throws IOException {
    var taskId = surface.terminal();
    var target = "/tasks/" + taskId + "/attach?from=0";
    try (var one = SocketWire.open(surface.unix(), target + "&rows=20&cols=60", Map.of())) {
      assertThat(one.message("hello").path("rows").longValue()).isEqualTo(20);
      try (var view =
          SocketWire.open(surface.unix(), target + "&rows=9&cols=9&view=true", Map.of())) {
        assertThat(view.message("hello").path("rows").longValue()).isEqualTo(20);
        one.text("{\"type\":\"resize\",\"rows\":21,\"cols\":61}");
        var resized = view.message("resized");
        assertThat(resized.path("rows").longValue()).isEqualTo(21);
        assertThat(resized.path("cols").longValue()).isEqualTo(61);
      }
      surface.post("/tasks/" + taskId + "/resize", "{\"rows\":50,\"cols\":150}");
      one.text("{\"type\":\"stdin\",\"keys\":[\"C-c\",\"Enter\"],\"write_id\":\"k\"}");
      one.message("ack");
    }
    assertThat(Surface.json(surface.get("/tasks/" + taskId)).path("rows").longValue())
        .isEqualTo(21);
    assertThat(surface.hosts.applied()).last().isEqualTo("stdin \u0003\r");
    assertThat(surface.get(target + "&rows=20", SocketWire.UPGRADE).status()).isEqualTo(400);
  }

  @Test
  void a_plain_request_is_told_that_this_is_for_web_sockets() throws IOException {
    var taskId = surface.running();
    var answer = surface.get(target(taskId, ""));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("WebSocket");
    assertThat(surface.get("/tasks/" + taskId + "/attach", SocketWire.UPGRADE).text())
        .contains("no terminal", "stream=stdout");
    assertThat(attempt(taskId, "&after_seq=3").status()).isEqualTo(400);
    assertThat(attempt(taskId, "&speed=3").status()).isEqualTo(400);
    var missing = new TaskId("00000000-0000-0000-0000-00000000ffff");
    assertThat(attempt(missing, "").status()).isEqualTo(404);
  }

  @Test
  void more_clients_than_may_are_refused_until_one_leaves() throws IOException {
    var taskId = surface.running();
    try (var first = attach(taskId, "")) {
      first.message("hello");
      try (var second = attach(taskId, "")) {
        second.message("hello");
        var third = attempt(taskId, "");
        assertThat(third.status()).isEqualTo(429);
        assertThat(code(third)).isEqualTo("LIMIT_EXCEEDED");
      }
      await().until(() -> surface.http.waiting() == 1);
      try (var again = attach(taskId, "")) {
        again.message("hello");
      }
    }
  }

  @Test
  void many_clients_see_the_same_and_what_one_types_reaches_the_task_once() throws IOException {
    var taskId = surface.running();
    try (var one = attach(taskId, "&from=0");
        var other = attach(taskId, "&from=0&view=true")) {
      surface.hosts.write(taskId, LogStream.STDOUT, "for all");
      for (var client : List.of(one, other)) {
        client.message("hello");
        assertThat(client.next().output()).isEqualTo("for all");
      }
      one.text("{\"type\":\"stdin\",\"text\":\"a\",\"write_id\":\"1\"}");
      one.message("ack");
    }
    assertThat(surface.hosts.applied()).containsExactly("stdin a");
  }

  @Test
  void a_caller_who_is_trusted_less_than_the_task_may_look_and_not_type() throws IOException {
    var taskId = surface.running();
    var headers = Map.of("Authorization", "Bearer " + Surface.TOKEN);
    var refused = surface.tcpCall("GET", target(taskId, ""), merged(headers, SocketWire.UPGRADE));
    assertThat(refused.status()).isEqualTo(403);
    try (var client = attachByToken(taskId, "&view=true", Surface.TOKEN)) {
      assertThat(client.message("hello").path("mode").stringValue("")).isEqualTo("view");
    }
  }

  private static Map<String, String> merged(Map<String, String> one, Map<String, String> other) {
    var all = new HashMap<>(one);
    all.putAll(other);
    return all;
  }

  @Test
  void nobody_is_attached_without_a_token_or_from_a_foreign_page() throws IOException {
    var taskId = surface.running();
    var noToken = merged(Map.of("Authorization", ""), SocketWire.UPGRADE);
    assertThat(surface.tcpCall("GET", target(taskId, ""), noToken).status()).isEqualTo(401);
    var foreign = merged(Map.of("Origin", "http://evil.example"), SocketWire.UPGRADE);
    assertThat(surface.tcpCall("GET", target(taskId, ""), foreign).status()).isEqualTo(403);
    var rebound = merged(Map.of("Host", "evil.example"), SocketWire.UPGRADE);
    assertThat(surface.tcpCall("GET", target(taskId, ""), rebound).status()).isEqualTo(403);
  }

  @Test
  void a_token_that_is_bound_to_another_session_sees_no_task() throws IOException {
    var taskId = surface.running();
    var bound =
        surface.tokens.mint(
            new Tokens.Manager.Owner("cli"),
            new Tokens.NewToken("bound", Profile.FULL_AUTO, new SessionId("elsewhere")));
    var headers = merged(Map.of("Authorization", "Bearer " + bound.token()), SocketWire.UPGRADE);
    assertThat(surface.tcpCall("GET", target(taskId, "&view=true"), headers).status())
        .isEqualTo(404);
  }

  @Test
  void a_revoked_token_cuts_its_client_even_a_quiet_one() throws IOException {
    var taskId = surface.running();
    var token = surface.owner("laptop");
    try (var client = attachByToken(taskId, "", token)) {
      client.message("hello");
      surface.call("DELETE", "/tokens/laptop", Map.of(), null);
      assertThat(client.next().closeCode()).isEqualTo(1008);
    }
  }

  @Test
  void a_daemon_that_stops_says_that_clients_should_come_back() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      client.message("hello");
      surface.http.close();
      assertThat(client.next().closeCode()).isEqualTo(1012);
    }
  }
}
