package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches over HTTP: what they are, how they end, and how they are waited for. */
final class BatchRoutesTest {
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
  void a_batch_runs_until_all_are_over_and_says_how_it_went() throws IOException {
    var one = spawn("night");
    var two = spawn("night");
    spawn("other");
    assertThat(status("night")).isEqualTo("running");
    assertThat(json(surface.get("/tasks?batch_id=night")).size()).isEqualTo(2);

    surface.hosts.exit(one, 0, null);
    assertThat(status("night")).isEqualTo("running");
    surface.hosts.exit(two, 0, null);
    assertThat(status("night")).isEqualTo("completed");

    var third = spawn("night");
    surface.hosts.exit(third, 3, null);
    var batch = json(surface.get("/batches/night"));
    assertThat(batch.path("status").stringValue("")).isEqualTo("error");
    assertThat(batch.path("counts").toString()).isEqualTo("{\"exited\":3}");
    assertThat(batch.path("total").intValue(0)).isEqualTo(3);
    assertThat(batch.path("tasks").path(0).path("task_id").stringValue(""))
        .isEqualTo(third.value());
  }

  @Test
  void a_cancel_reaches_all_that_are_not_over() throws IOException {
    var over = spawn("night");
    surface.hosts.exit(over, 0, null);
    surface.fill();
    var waiting = surface.spawn(task("night", ""));

    var answer = surface.post("/batches/night/cancel", "{\"reason\":\"late\"}");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(json(answer).path("status").stringValue("")).isEqualTo("cancelled");
    assertThat(json(surface.get("/tasks/" + waiting)).path("status").stringValue(""))
        .isEqualTo("cancelled");
    assertThat(json(surface.get("/tasks/" + over)).path("status").stringValue(""))
        .isEqualTo("exited");
  }

  @Test
  void a_wait_for_any_ends_with_the_first_and_one_for_all_with_the_last() throws Exception {
    var one = spawn("night");
    var two = spawn("night");
    var any = waiting("{\"mode\":\"any\"}");
    var all = waiting("{\"mode\":\"all\",\"timeout_ms\":60000}");

    surface.hosts.exit(one, 0, null);
    assertThat(json(any.get()).path("timed_out").booleanValue(true)).isFalse();
    assertThat(all.isDone()).isFalse();

    surface.hosts.exit(two, 0, null);
    assertThat(json(all.get()).path("status").stringValue("")).isEqualTo("completed");
  }

  @Test
  void a_wait_that_runs_out_says_so() throws IOException {
    spawn("night");

    var answer = json(surface.post("/batches/night/wait", "{\"timeout_ms\":1}"));

    assertThat(answer.path("timed_out").booleanValue(false)).isTrue();
    assertThat(answer.path("status").stringValue("")).isEqualTo("running");
  }

  @Test
  void a_batch_belongs_to_its_session() throws IOException {
    surface.spawn(task("night", ",\"session_id\":\"a\""));
    var token =
        surface
            .tokens
            .mint(
                new Tokens.Manager.Owner("cli"),
                new Tokens.NewToken("t", Profile.FULL_AUTO, new SessionId("b")))
            .token();
    var headers = Map.of("Authorization", "Bearer " + token);

    assertThat(surface.get("/batches/night").status()).isEqualTo(404);
    assertThat(surface.get("/batches/night?session_id=a").status()).isEqualTo(200);
    assertThat(surface.tcpCall("GET", "/batches/night", headers).status()).isEqualTo(404);
    assertThat(surface.tcpCall("GET", "/batches/night?session_id=a", headers).status())
        .isEqualTo(403);
  }

  @Test
  void a_task_can_follow_only_what_is_there() throws IOException {
    var first = spawn("night");
    var unknown = first.value().replace('0', '1');

    assertThat(surface.post("/tasks", task("x", ",\"after\":[\"" + first + "\"]")).status())
        .isEqualTo(201);
    var refused = surface.post("/tasks", task("x", ",\"after_any\":[\"" + unknown + "\"]"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(json(refused).path("detail").stringValue("")).contains("after_any", unknown);
  }

  private CompletableFuture<Wire.Answer> waiting(String body) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return surface.post("/batches/night/wait", body);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  private String status(String batch) throws IOException {
    return json(surface.get("/batches/" + batch)).path("status").stringValue("");
  }

  private TaskId spawn(String batch) throws IOException {
    var taskId = surface.spawn(task(batch, ""));
    surface.hosts.start(taskId);
    return taskId;
  }

  private static String task(String batch, String more) {
    return "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"batch_id\":\"%s\"%s}"
        .formatted(batch, more);
  }
}
