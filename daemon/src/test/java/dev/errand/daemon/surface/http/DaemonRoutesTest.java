package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.http.Routes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the daemon says of itself, and what may be asked of it. */
final class DaemonRoutesTest {
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
  void the_version_names_the_daemon_and_its_journal() throws IOException {
    var version = json(surface.get("/version"));

    assertThat(version.path("version").stringValue("")).isEqualTo("0.1.0");
    assertThat(version.path("build").stringValue("")).isEqualTo("build-1");
    assertThat(version.path("protocol").longValue()).isEqualTo(1);
    assertThat(version.path("journal_id").stringValue("")).isEqualTo(surface.journal.id());
    assertThat(version.path("pid").longValue()).isEqualTo(ProcessHandle.current().pid());
    assertThat(version.path("started_at").stringValue("")).endsWith("Z");
  }

  @Test
  void processes_beside_the_tasks_are_listed_and_ended_by_pid() throws IOException {
    assertThat(json(surface.get("/admin/processes")).path("processes").path(0).toString())
        .isEqualTo(
            "{\"pid\":4711,\"start_ticks\":9,\"kind\":\"kept\",\"command\":\"sleep 99\","
                + "\"task_ids\":[\"0198c000-0000-7000-8000-000000000001\"]}");

    var answer = surface.post("/admin/processes/end", "{\"pid\":4711}");

    assertThat(answer.text()).isEqualTo("{\"pid\":4711,\"killed\":[4711],\"survivors\":[]}");
    assertThat(surface.admin).containsExactly("end 4711");
    assertThat(surface.post("/admin/processes/end", "{}").status()).isEqualTo(400);
  }

  @Test
  void readiness_is_told_with_its_reason() throws IOException {
    assertThat(surface.get("/readyz").status()).isEqualTo(200);

    surface.notReady = Optional.of("the host does not answer");

    var answer = surface.get("/readyz");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(code(answer)).isEqualTo("NOT_READY");
    assertThat(json(answer).path("detail").stringValue("")).contains("does not answer");
  }

  @Test
  void metrics_count_what_is_there() throws IOException {
    surface.running();
    surface.spawn();
    surface.get("/nowhere");

    // An answer is counted when it is written, which may be after its reader has it.
    var answer =
        await()
            .until(
                () -> surface.get("/metrics"),
                it -> it.text().contains("errand_http_requests_under_way 1\n"));

    assertThat(answer.header("Content-Type")).startsWith("text/plain");
    assertThat(answer.text())
        .contains("errand_tasks{status=\"running\"} 1\n")
        .contains("errand_tasks{status=\"queued\"} 1\n")
        .contains("errand_http_requests_total{class=\"4xx\"} 1\n")
        .contains("errand_host_tasks 7\n")
        .contains("# TYPE errand_p gauge\nerrand_p{pid=\"1\"} 1\nerrand_p{pid=\"2\"} 1\n")
        .contains("# TYPE errand_commits_total counter\n");
  }

  @Test
  void a_round_of_cleaning_tells_what_it_removed() throws IOException {
    assertThat(surface.post("/admin/gc", "").text())
        .isEqualTo("{\"tasks\":1,\"artifacts\":2,\"logs\":3,\"builds\":4,\"bytes_stored\":5}");
  }

  @Test
  void a_shutdown_is_passed_on_once() throws IOException {
    var answer = surface.keyed("POST", "/admin/shutdown", "k", "{\"all\":true}");
    surface.keyed("POST", "/admin/shutdown", "k", "{\"all\":true}");

    assertThat(answer.status()).isEqualTo(202);
    assertThat(surface.admin).containsExactly("shutdown WITH_ALL");
    assertThat(surface.post("/admin/shutdown", "{\"al\":true}").status()).isEqualTo(400);
  }

  @Test
  void a_shutdown_says_why_and_is_told_what_becomes_of_tasks() throws IOException {
    var answer = json(surface.post("/admin/shutdown", "{}"));
    surface.post("/admin/shutdown", "{\"restart\":true}");

    assertThat(surface.admin).containsExactly("shutdown FOR_NOW", "shutdown FOR_RESTART");
    assertThat(answer.path("all").booleanValue()).isFalse();
    assertThat(answer.path("on_stop").stringValue("")).isEqualTo("drain");
    assertThat(answer.path("wait_secs").longValue()).isEqualTo(9);
    var both = surface.post("/admin/shutdown", "{\"all\":true,\"restart\":true}");
    assertThat(both.status()).isEqualTo(400);
    assertThat(surface.admin).hasSize(2);
  }

  @Test
  void settings_are_shown_and_reloaded_for_the_owner_only() throws IOException {
    assertThat(surface.get("/admin/config").text()).contains("config.toml");
    assertThat(surface.post("/admin/reload", "").status()).isEqualTo(200);
    assertThat(surface.admin).containsExactly("reload");

    assertThat(surface.tcpCall("GET", "/admin/config", Map.of()).status()).isEqualTo(403);
    assertThat(surface.tcpCall("POST", "/admin/reload", Map.of()).status()).isEqualTo(403);
    assertThat(surface.admin).containsExactly("reload");
  }

  @Test
  void every_path_that_clients_use_has_a_route() throws IOException {
    var taskId = new TaskId("00000000-0000-7000-8000-00000000ffff");
    for (var path :
        List.of(
            Routes.TASKS,
            Routes.EVENTS,
            Routes.ARTIFACTS,
            Routes.HEALTH,
            Routes.READY,
            Routes.METRICS,
            Routes.VERSION,
            Routes.GC,
            Routes.SHUTDOWN,
            Routes.CONFIG,
            Routes.RELOAD,
            Routes.task(taskId),
            Routes.events(taskId),
            Routes.output(taskId),
            Routes.cancel(taskId),
            Routes.signal(taskId),
            Routes.stdin(taskId),
            Routes.wait(taskId),
            Routes.artifact("0".repeat(64)))) {
      assertThat(surface.call("PATCH", path, Map.of(), null).status()).as(path).isEqualTo(405);
    }
  }
}
