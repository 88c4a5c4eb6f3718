package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verbs that start and stop the daemon. */
@Timeout(120)
final class CliDaemonTest {

  @Test
  void the_first_run_starts_a_daemon_and_down_leaves_its_tasks_running() throws Exception {
    try (var sandbox = Sandbox.create()) {
      assertThat(sandbox.errand("ls").code()).as("only some verbs start one").isEqualTo(4);
      assertThat(sandbox.errand("run", "--", "echo", "first").line()).isEqualTo("first");

      var id = sandbox.errand("spawn", "--", "sleep", "1000").line();
      var pid = runningPid(sandbox, id);
      assertThat(sandbox.errand("down").line()).contains("tasks go on");
      assertThat(sandbox.home().daemonFile()).doesNotExist();
      assertThat(Sandbox.isAlive(pid)).isTrue();
      assertThat(sandbox.errand("down").line()).isEqualTo("no daemon runs");

      sandbox.up();
      assertThat(runningPid(sandbox, id)).isEqualTo(pid);
      var hosts = sandbox.hostPids();
      assertThat(hosts).isNotEmpty();
      assertThat(sandbox.errand("down", "--all").line()).contains("with all tasks");
      assertThat(Sandbox.isAlive(pid)).isFalse();
      await().atMost(Sandbox.PATIENCE).until(() -> hosts.stream().noneMatch(Sandbox::isAlive));

      sandbox.up();
      try (var client = sandbox.client()) {
        assertThat(client.status(new TaskId(id)).status()).isEqualTo("cancelled");
      }
    }
  }

  @Test
  void a_task_cannot_start_a_daemon() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var builder = sandbox.builder("up");
      builder.environment().put("ERRAND_TASK_ID", "0198f2a3-0000-7000-8000-000000000000");

      var result = sandbox.finish(builder);

      assertThat(result.code()).isEqualTo(4);
      assertThat(result.err()).contains("a task cannot start a daemon");
      assertThat(Files.exists(sandbox.home().daemonFile())).isFalse();
    }
  }

  private static long runningPid(Sandbox sandbox, String id) {
    try (var client = sandbox.client()) {
      return await()
          .atMost(Sandbox.PATIENCE)
          .until(() -> client.status(new TaskId(id)).fields().number("pid", 0), it -> it > 0);
    }
  }
}
