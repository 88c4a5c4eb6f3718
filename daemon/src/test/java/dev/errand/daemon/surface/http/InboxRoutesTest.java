package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.StreamKey;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.config.Config;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Inboxes over HTTP. */
final class InboxRoutesTest {
  private static final String INBOX = "/sessions/cli/inbox";
  private static final String BUILD =
      "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"label\":\"build\"}";

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    var times = Surface.times(Duration.ofSeconds(30), Duration.ofMillis(100));
    surface = Surface.start(folder, "127.0.0.1:0", times, Config.DEFAULTS.serving());
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void an_end_is_told_with_all_that_is_needed_to_react() throws IOException {
    var taskId = ended("one\n\u001b[32mall 12 tests passed\u001b[0m\n", 0);
    var notice = json(surface.get(INBOX)).path(0);

    assertThat(notice.propertyNames())
        .containsExactly(
            "id",
            "session_id",
            "task_id",
            "label",
            "kind",
            "event",
            "status",
            "exit_code",
            "elapsed_ms",
            "elapsed",
            "summary",
            "snippet",
            "truncated",
            "artifact_refs",
            "fetch",
            "text",
            "at_ms",
            "merged",
            "acknowledged",
            "seq",
            "cursor",
            "leftover",
            "killed");
    assertThat(text(notice, "task_id")).isEqualTo(taskId.value());
    assertThat(text(notice, "kind")).isEqualTo("ended");
    assertThat(text(notice, "summary")).isEqualTo("all 12 tests passed");
    assertThat(text(notice, "snippet")).isEqualTo("one\nall 12 tests passed\n");
    assertThat(notice.path("truncated").booleanValue()).isFalse();
    assertThat(text(notice, "elapsed")).isEqualTo("1s");
    assertThat(text(notice, "text"))
        .isEqualTo(
            """
            [System Message] Background task "build" completed (1s).
            Summary: all 12 tests passed
            Use task_output(task_id: "%s") for full results.\
            """
                .formatted(taskId.value().substring(0, 18)));
    var ref = notice.path("artifact_refs").path(0);
    assertThat(text(ref, "log_id")).isEqualTo(taskId + ".stdout");
    assertThat(text(ref, "artifact_id")).hasSize(64);
    assertThat(text(notice.path("fetch"), "http")).isEqualTo("GET /tasks/" + taskId);
    assertThat(text(notice.path("fetch").path("arguments"), "task_id")).isEqualTo(taskId.value());
  }

  @Test
  void a_failure_says_so_and_control_characters_reach_nobody() throws IOException {
    ended("\u001b]0;owned\u0007bad \u0007\u202eeb ot\r\n", 3);
    var notice = json(surface.get(INBOX)).path(0);

    assertThat(text(notice, "text"))
        .startsWith("[System Message] Background task \"build\" failed with exit code 3");
    assertThat(text(notice, "snippet")).isEqualTo("bad eb ot\n");
    assertThat(notice.path("exit_code").intValue()).isEqualTo(3);
  }

  @Test
  void what_is_acknowledged_is_told_no_more_and_doing_it_again_changes_nothing()
      throws IOException {
    ended("a", 0);
    ended("b", 0);
    var notices = json(surface.get(INBOX));
    var body = "{\"ids\":[\"" + text(notices.path(0), "id") + "\",\"unknown\"]}";

    assertThat(acknowledged(body)).isEqualTo(1);
    assertThat(acknowledged(body)).isZero();
    assertThat(json(surface.get(INBOX))).hasSize(1);
    assertThat(json(surface.get(INBOX + "?all=true"))).hasSize(2);
    assertThat(surface.journal.lastSeq(StreamKey.of(new SessionId("cli")))).isZero();

    assertThat(acknowledged("{\"up_to\":\"" + text(notices.path(1), "cursor") + "\"}"))
        .isEqualTo(1);
    assertThat(json(surface.get(INBOX))).isEmpty();
  }

  @Test
  void a_page_says_where_the_next_begins() throws IOException {
    var tasks = List.of(ended("a", 0), ended("b", 0), ended("c", 0));
    var first = surface.get(INBOX + "?limit=2");
    var link = first.header("Link");
    var rest = surface.get(link.substring(1, link.indexOf('>')));

    assertThat(taskIds(json(first))).isEqualTo(tasks.subList(0, 2));
    assertThat(taskIds(json(rest))).isEqualTo(tasks.subList(2, 3));
    assertThat(rest.header("Link")).isEmpty();
    assertThat(json(surface.get(INBOX + "?after=now"))).isEmpty();
  }

  @Test
  void who_waits_is_answered_by_the_next_notice() throws Exception {
    var taskId = surface.spawn(BUILD);
    surface.hosts.start(taskId);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Wire.Answer> wait = () -> surface.get(INBOX + "?wait=60");
      var answer = threads.submit(wait);
      surface.hosts.exit(taskId, 0, null);

      assertThat(taskIds(json(answer.get()))).containsExactly(taskId);
    }
    assertThat(json(surface.get(INBOX + "?after=now&wait=1"))).isEmpty();
  }

  @Test
  void a_subscriber_gets_what_waits_and_then_what_comes_with_the_cursor_as_its_place()
      throws IOException {
    var headers = Map.of("Accept", "text/event-stream");
    var old = ended("a", 0);
    var seen = new ArrayList<TaskId>();
    var last = "";
    try (var events = EventReader.open(surface, INBOX, headers)) {
      last = nextNotice(events, seen);
      var young = ended("b", 0);
      last = nextNotice(events, seen);
      assertThat(seen).containsExactly(old, young);
    }
    var newest = ended("c", 0);
    var again = Map.of("Accept", "text/event-stream", "Last-Event-ID", last);
    try (var events = EventReader.open(surface, INBOX + "?follow=false", again)) {
      var rest = events.rest().stream().filter(EventReader.Event::isFrame).toList();
      assertThat(rest)
          .singleElement()
          .satisfies(it -> assertThat(it.data()).contains(newest.value()));
    }
  }

  @Test
  void the_text_of_an_inbox_names_all_that_its_cursor_covers() throws IOException {
    for (var i = 0; i < 60; i++) {
      ended("line " + "x".repeat(300) + i + "\n", i % 2);
    }
    var answer = surface.get(INBOX + "?limit=50", Map.of("Accept", "text/plain"));

    assertThat(answer.text()).hasSizeLessThanOrEqualTo(16_384).startsWith("[System Message] And ");
    assertThat(answer.text().split("\"build\" ", -1)).hasSizeGreaterThan(50);
    assertThat(acknowledged("{\"up_to\":\"" + answer.header("Errand-Cursor") + "\"}"))
        .isEqualTo(50);
  }

  @Test
  void a_notice_outlives_its_task_without_what_the_task_wrote() throws IOException {
    var taskId = ended("secret plans\n", 0);
    assertThat(surface.call("DELETE", "/tasks/" + taskId, Map.of(), null).status()).isLessThan(300);
    var notice = json(surface.get(INBOX)).path(0);

    assertThat(text(notice, "task_id")).isEqualTo(taskId.value());
    assertThat(text(notice, "snippet")).isEmpty();
    assertThat(notice.path("fetch").isNull()).isTrue();
    assertThat(text(notice, "text")).contains("was removed").doesNotContain("task_output");
    assertThat(notice.path("artifact_refs")).isEmpty();
  }

  @Test
  void silent_tasks_tell_nothing_and_state_changes_tell_more() throws IOException {
    finish(surface.spawn(BUILD.replace("},\"label\"", "},\"notify\":false,\"label\"")));
    assertThat(json(surface.get(INBOX))).isEmpty();
    finish(surface.spawn(BUILD.replace("},\"label\"", "},\"notify\":\"state_changes\",\"label\"")));

    assertThat(json(surface.get(INBOX)).valueStream().map(it -> text(it, "kind")))
        .containsExactly("state_changed", "ended");
  }

  @Test
  void a_token_of_another_session_sees_neither_inbox_nor_webhook() throws IOException {
    var other = bound("other");
    for (var path : List.of(INBOX, "/sessions/cli/webhook", "/sessions/cli/webhook/tries")) {
      assertThat(surface.tcpCall("GET", path, other).status()).as(path).isEqualTo(404);
    }
    assertThat(surface.tcpCall("POST", INBOX + "/ack", other, "{\"ids\":[]}").status())
        .isEqualTo(404);
    assertThat(surface.tcpCall("GET", "/sessions/other/inbox", other).status()).isEqualTo(200);
  }

  @Test
  void what_is_no_cursor_and_no_list_is_refused() throws IOException {
    assertThat(code(surface.get(INBOX + "?after=nonsense"))).isEqualTo("INVALID_REQUEST");
    assertThat(code(surface.post(INBOX + "/ack", "{}"))).isEqualTo("INVALID_REQUEST");
    assertThat(code(surface.post(INBOX + "/ack", "{\"ids\":[],\"up_to\":\"x\"}")))
        .isEqualTo("INVALID_REQUEST");
    assertThat(code(surface.get(INBOX + "?after=" + "x".repeat(65)))).isEqualTo("INVALID_REQUEST");
    assertThat(code(surface.get("/sessions/a%2Fb/inbox"))).isNotEmpty();
  }

  @Test
  void a_webhook_is_set_shown_and_removed_and_its_secret_never_told() throws IOException {
    var hook = "/sessions/cli/webhook";
    var body = "{\"url\":\"http://127.0.0.1:1/hook?key=abc\",\"secret\":\"s3cret\",\"ack\":true}";
    var set = surface.call("PUT", hook, Map.of(), body);
    var shown = surface.get(hook);

    assertThat(set.status()).isEqualTo(200);
    assertThat(shown.text())
        .contains("http://127.0.0.1:1/…")
        .doesNotContain("s3cret", "abc", "hook");
    assertThat(json(shown).path("signed").booleanValue()).isTrue();
    assertThat(json(surface.get(hook + "/tries"))).isEmpty();
    assertThat(frames()).contains("webhook_set").doesNotContain("s3cret", "abc");
    assertThat(json(surface.call("DELETE", hook, Map.of(), null)).path("removed").booleanValue())
        .isTrue();
    assertThat(surface.get(hook).status()).isEqualTo(404);
  }

  @Test
  void a_secret_that_is_made_for_a_webhook_is_told_once() throws IOException {
    var hook = "/sessions/cli/webhook";
    var made = surface.call("PUT", hook, Map.of(), "{\"url\":\"http://127.0.0.1:1/\"}");

    assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    assertThat(text(json(made), "secret")).hasSizeGreaterThan(40);
    assertThat(json(made).propertyNames())
        .containsExactly(
            "url",
            "signed",
            "ack",
            "events",
            "set_at_ms",
            "set_by",
            "failing",
            "next_try_at_ms",
            "secret");
    assertThat(json(surface.get(hook)).has("secret")).isFalse();
    var given = "{\"url\":\"http://127.0.0.1:1/\",\"secret\":\"s3cret\"}";
    assertThat(json(surface.call("PUT", hook, Map.of(), given)).has("secret")).isFalse();
  }

  @Test
  void events_of_a_webhook_are_shown_recorded_and_refused_with_the_list() throws IOException {
    var hook = "/sessions/cli/webhook";
    var body = "{\"url\":\"http://127.0.0.1:1/\",\"events\":[%s]}";
    var set =
        surface.call("PUT", hook, Map.of(), body.formatted("\"output\",\"status\",\"output\""));
    var wrong = surface.call("PUT", hook, Map.of(), body.formatted("\"watch\",\"exit\""));

    assertThat(set.status()).isEqualTo(200);
    assertThat(json(surface.get(hook)).path("events").toString())
        .isEqualTo("[\"status\",\"output\"]");
    assertThat(frames()).contains("\"events\":[\"status\",\"output\"]");
    assertThat(code(wrong)).isEqualTo("INVALID_REQUEST");
    assertThat(wrong.text())
        .contains("unknown event 'exit' in events; use a list of status, watch, output");
  }

  @Test
  void a_notice_names_the_title_or_the_command_and_the_tools_that_started_the_task()
      throws IOException {
    finish(surface.spawn("{\"tool\":\"shell\",\"args\":{\"command\":\"make  all\"}}"));
    finish(
        surface.spawn(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"title\":\"the build\"}"));
    var notices = json(surface.get(INBOX));

    assertThat(text(notices.path(0), "text"))
        .startsWith("[System Message] Background task \"make  all\" completed")
        .contains("Use shell(action: \"poll\", run_id: \"");
    assertThat(text(notices.path(0).path("fetch"), "tool")).isEqualTo("shell");
    assertThat(text(notices.path(1), "text"))
        .startsWith("[System Message] Background task \"the build\" completed");
  }

  @Test
  void a_webhook_reaches_this_machine_only() throws IOException {
    for (var url :
        List.of(
            "http://example.org/",
            "http://169.254.169.254/latest",
            "http://127.0.0.1.example.org/",
            "http://localhost.example.org/")) {
      var answer =
          surface.call("PUT", "/sessions/cli/webhook", Map.of(), "{\"url\":\"" + url + "\"}");
      assertThat(code(answer)).as(url).isEqualTo("FORBIDDEN");
    }
    for (var url :
        List.of("file:///etc/passwd", "http://u:p@127.0.0.1/", "nonsense", "http:///x")) {
      var answer =
          surface.call("PUT", "/sessions/cli/webhook", Map.of(), "{\"url\":\"" + url + "\"}");
      assertThat(code(answer)).as(url).isEqualTo("INVALID_REQUEST");
    }
  }

  private TaskId ended(String output, int code) throws IOException {
    var taskId = surface.spawn(BUILD);
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, output);
    surface.hosts.exit(taskId, code, null);
    return taskId;
  }

  private void finish(TaskId taskId) {
    surface.hosts.start(taskId);
    surface.hosts.exit(taskId, 0, null);
  }

  private Map<String, String> bound(String session) {
    var wanted = new Tokens.NewToken(session, Profile.SAFE, new SessionId(session));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    return Map.of("Authorization", "Bearer " + token);
  }

  private int acknowledged(String body) throws IOException {
    return json(surface.post(INBOX + "/ack", body)).path("acknowledged").intValue(-1);
  }

  private static String nextNotice(EventReader events, List<TaskId> seen) throws IOException {
    for (var event = events.next(); event != null; event = events.next()) {
      if (event.isFrame()) {
        var notice = Json.read(event.data().getBytes(StandardCharsets.UTF_8));
        seen.add(new TaskId(text(notice, "task_id")));
        return event.id();
      }
    }
    throw new IOException("the stream ended");
  }

  private String frames() {
    var text = new StringBuilder();
    surface
        .journal
        .read(StreamKey.of(new SessionId("cli")), -1, 100)
        .forEach(it -> text.append(new String(it.bytes(), StandardCharsets.UTF_8)));
    return text.toString();
  }

  private static List<TaskId> taskIds(JsonNode notices) {
    return notices.valueStream().map(it -> new TaskId(text(it, "task_id"))).toList();
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).stringValue("");
  }
}
