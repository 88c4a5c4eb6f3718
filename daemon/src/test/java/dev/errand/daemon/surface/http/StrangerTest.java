package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Every described route, called as a stranger would: with what is required and nothing else, where
 * there are 200 of everything.
 */
final class StrangerTest {
  private static final int MANY = 200;
  private static final String BUSY = "busy";
  private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");
  private static final String OWN =
      "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"batch_id\":\"b1\"}";
  private static final Map<String, String> PLAIN = Map.of("Accept", "application/json");

  @TempDir Path folder;
  private Surface surface;
  private TaskId taskId;
  private String digest;

  @BeforeEach
  void start_with_many_of_everything() throws IOException {
    surface = Surface.start(folder);
    for (var i = 0; i < MANY; i++) {
      var ended = surface.spawn(task(BUSY, "b" + i));
      surface.hosts.start(ended);
      surface.hosts.exit(ended, 0, null);
      if (i > 1) {
        surface.spawn(task("session-" + i, "one"));
      }
    }
    surface.spawn(OWN);
    taskId = surface.spawn(OWN);
    surface.hosts.start(taskId);
    for (var i = 0; i < MANY; i++) {
      surface.hosts.write(taskId, LogStream.STDOUT, "line " + i + "\n");
    }
    surface.post("/tokens", "{\"name\":\"stranger\"}");
    digest =
        json(surface.call("PUT", "/artifacts", Map.of(), "content"))
            .path("artifact_id")
            .stringValue("");
    surface.call(
        "PUT", "/sessions/busy/webhook", Map.of(), "{\"url\":\"http://127.0.0.1:9/none\"}");
  }

  private static String task(String session, String batch) {
    return "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"session_id\":\"%s\",\"batch_id\":\"%s\"}"
        .formatted(session, batch);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void every_reading_route_answers_without_an_optional_parameter() throws IOException {
    var api = json(surface.get("/openapi.json"));
    for (var path : api.path("paths").properties()) {
      for (var method : List.of("GET", "HEAD")) {
        var operation = path.getValue().path(method.toLowerCase(Locale.ROOT));
        if (operation.isMissingNode() || path.getKey().endsWith("/attach")) {
          continue;
        }
        var target = target(path.getKey()) + required(api, operation);
        var answer = surface.call(method, target, PLAIN, null);
        assertThat(answer.status()).as("%s %s: %s", method, target, answer.text()).isEqualTo(200);
      }
    }
  }

  /** Those that change something get an empty body, and answer with a reason at worst. */
  @Test
  void every_other_route_answers_an_empty_call() throws IOException {
    var api = json(surface.get("/openapi.json"));
    for (var path : api.path("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        var method = operation.getKey().toUpperCase(Locale.ROOT);
        if (Set.of("GET", "HEAD").contains(method) || waits(path.getKey())) {
          continue;
        }
        var target = target(path.getKey());
        var answer = surface.call(method, target, PLAIN, "");
        assertThat(answer.status()).as("%s %s: %s", method, target, answer.text()).isLessThan(500);
      }
    }
  }

  /** To wait for a task that runs is not to be answered. */
  private static boolean waits(String path) {
    return path.endsWith("/wait");
  }

  @Test
  void pages_lead_to_all_of_a_list_and_the_last_one_promises_no_other() throws IOException {
    assertThat(walk("/tasks", "task_id")).hasSize(2 * MANY);
    assertThat(walk("/sessions", "session_id")).hasSize(MANY);
    assertThat(walk("/sessions/busy/inbox", "id")).hasSize(MANY);
    var frames = walk("/tasks/" + taskId + "/events", "seq");
    assertThat(frames).hasSize((int) surface.journal.lastSeq(StreamKey.of(taskId)) + 1);
    assertThat(walk("/events", "id")).hasSizeGreaterThan(3 * MANY);
  }

  @Test
  void a_full_last_page_promises_no_next_page() throws IOException {
    for (var target :
        List.of("/tasks?limit=100", "/sessions?limit=100", "/sessions/busy/inbox?limit=100")) {
      var pages = 0;
      for (var next = target; !next.isEmpty(); pages++) {
        var answer = surface.get(next, PLAIN);
        assertThat(json(answer).size()).as(next).isEqualTo(100);
        next = next(answer);
      }
      assertThat(pages).as(target).isEqualTo(target.startsWith("/tasks") ? 4 : 2);
    }
  }

  @Test
  void pages_of_one_session_s_frames_hold_them_and_the_last_one_promises_no_other()
      throws IOException {
    var all = walk("/events?session_id=session-100&limit=1000", "id");
    assertThat(all).isNotEmpty();
    assertThat(walk("/events?session_id=session-100", "id")).isEqualTo(all);
    var full = surface.get("/events?session_id=session-100&limit=" + all.size(), PLAIN);
    assertThat(json(full).size()).isEqualTo(all.size());
    assertThat(next(full)).isEmpty();
    assertThat(walk("/events?session_id=busy", "id")).hasSizeGreaterThan(MANY);
  }

  @Test
  void a_page_of_frames_that_ends_with_the_last_one_promises_no_next_page() throws IOException {
    var frames = walk("/tasks/" + taskId + "/events", "seq").size();
    var page = surface.get("/tasks/" + taskId + "/events?limit=" + frames, PLAIN);
    assertThat(json(page).size()).isEqualTo(frames);
    assertThat(next(page)).isEmpty();
  }

  private Set<String> walk(String first, String key) throws IOException {
    var seen = new HashSet<String>();
    for (var target = first; !target.isEmpty(); ) {
      var answer = surface.get(target, PLAIN);
      assertThat(answer.status()).as("%s: %s", target, answer.text()).isEqualTo(200);
      var page = json(answer);
      assertThat(page.size()).as(target).isPositive();
      for (var item : page) {
        assertThat(seen.add(item.path(key).toString())).as("%s %s", target, item).isTrue();
      }
      target = next(answer);
    }
    return seen;
  }

  private static String next(Wire.Answer answer) {
    var link = NEXT.matcher(answer.header("Link"));
    return link.find() ? link.group(1) : "";
  }

  private String target(String path) {
    return path.replace("{log_id}", taskId + ".stdout")
        .replace("{sha256}", digest)
        .replace("{name}", path.startsWith("/tools") ? "task_list" : "stranger")
        .replace(
            "{id}",
            path.endsWith("/screen")
                ? surface.terminal(5, 20).value()
                : switch (path.split("/", 3)[1]) {
                  case "sessions" -> BUSY;
                  case "batches" -> "b1";
                  default -> taskId.value();
                });
  }

  private static String required(JsonNode api, JsonNode operation) {
    var query = new StringBuilder();
    for (var given : operation.path("parameters")) {
      var parameter =
          given.has("$ref") ? api.at(given.path("$ref").stringValue("").substring(1)) : given;
      if (parameter.path("in").stringValue("").equals("query")
          && parameter.path("required").booleanValue(false)) {
        query.append(query.isEmpty() ? '?' : '&').append(parameter.path("name").stringValue(""));
        query.append('=').append(parameter.path("schema").path("enum").path(0).stringValue(""));
      }
    }
    return query.toString();
  }
}
