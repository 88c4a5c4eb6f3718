package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A keyed request happens once, however often and however closely it is sent. */
final class IdempotencyTest {
  private static final String SPAWN = "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}";

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
  void a_hundred_spawns_of_one_key_at_once_make_one_task() throws Exception {
    List<Future<Wire.Answer>> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 0; i < 100; i++) {
        answers.add(
            threads.submit(
                (Callable<Wire.Answer>) () -> surface.keyed("POST", "/tasks", "k1", SPAWN)));
      }
    }
    var bodies = new TreeSet<String>();
    for (var answer : answers) {
      assertThat(answer.get().status()).isEqualTo(201);
      assertThat(answer.get().header("Location")).startsWith("/tasks/");
      bodies.add(answer.get().text());
    }

    assertThat(bodies).hasSize(1);
    assertThat(json(surface.get("/tasks"))).hasSize(1);
  }

  @Test
  void one_key_with_another_body_is_a_conflict_and_on_another_path_another_request()
      throws IOException {
    surface.keyed("POST", "/tasks", "k1", SPAWN);

    var other = surface.keyed("POST", "/tasks", "k1", SPAWN.replace("make", "rm"));
    assertThat(other.status()).isEqualTo(409);
    assertThat(code(other)).isEqualTo("IDEMPOTENCY_CONFLICT");
    assertThat(surface.keyed("POST", "/admin/gc", "k1", "").status()).isEqualTo(200);
    assertThat(surface.keyed("POST", "/admin/gc", "k1", "").status()).isEqualTo(200);
    assertThat(surface.admin).containsExactly("gc");
  }

  @Test
  void a_repeated_signal_is_sent_once() throws IOException {
    var taskId = surface.running();
    var body = "{\"signal\":\"INT\"}";

    var first = surface.keyed("POST", "/tasks/" + taskId + "/signal", "s1", body);
    surface.hosts.exit(taskId, 0, null);
    var second = surface.keyed("POST", "/tasks/" + taskId + "/signal", "s1", body);

    assertThat(second.status()).isEqualTo(202);
    assertThat(second.text()).isEqualTo(first.text());
    assertThat(surface.hosts.applied()).containsExactly("signal INT");
  }

  @Test
  void a_refusal_that_would_come_again_is_remembered_and_one_that_may_pass_is_not()
      throws IOException {
    surface.fill();
    var taskId = surface.spawn();
    var body = "{\"signal\":\"INT\"}";
    var target = "/tasks/" + taskId + "/signal";
    assertThat(code(surface.keyed("POST", target, "s1", body))).isEqualTo("TASK_NOT_RUNNING");
    surface.hosts.claim(taskId);
    surface.hosts.start(taskId);
    assertThat(surface.keyed("POST", target, "s1", body).status()).isEqualTo(202);

    var unknown = SPAWN.replace("bash", "python");
    var first = surface.keyed("POST", "/tasks", "k2", unknown);
    assertThat(first.status()).isEqualTo(400);
    assertThat(surface.keyed("POST", "/tasks", "k2", unknown).text()).isEqualTo(first.text());
    assertThat(code(surface.keyed("POST", "/tasks", "k2", SPAWN)))
        .isEqualTo("IDEMPOTENCY_CONFLICT");
  }

  @Test
  void a_repeated_removal_is_answered_as_the_first() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);

    assertThat(surface.keyed("DELETE", "/tasks/" + taskId, "d1", "").status()).isEqualTo(204);
    assertThat(surface.keyed("DELETE", "/tasks/" + taskId, "d1", "").status()).isEqualTo(204);
    assertThat(surface.keyed("DELETE", "/tasks/" + taskId, "d2", "").status()).isEqualTo(410);
  }

  @Test
  void keys_are_told_apart_by_who_sends_them() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);
    var target = "/tasks/" + taskId;

    assertThat(surface.keyed("DELETE", target, "k1", "").status()).isEqualTo(204);
    var token = surface.owner("other");
    var other =
        surface.tcpCall(
            "DELETE", target, Map.of("Idempotency-Key", "k1", "Authorization", "Bearer " + token));
    assertThat(other.status()).isEqualTo(410);
  }

  @Test
  void a_key_of_another_form_is_refused() throws IOException {
    assertThat(surface.keyed("POST", "/tasks", "a b", SPAWN).status()).isEqualTo(400);
    assertThat(surface.keyed("POST", "/tasks", "k".repeat(256), SPAWN).status()).isEqualTo(400);
    assertThat(surface.keyed("POST", "/tasks", "k".repeat(255), SPAWN).status()).isEqualTo(201);
  }
}
