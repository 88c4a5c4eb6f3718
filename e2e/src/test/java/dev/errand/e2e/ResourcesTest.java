package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.testkit.Alone;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits, timeouts and secrets, from the request to the last frame. */
@Timeout(120)
final class ResourcesTest {
  private static final String VALUE = "hunter2-is-long-enough";

  private static Sandbox sandbox;

  @BeforeAll
  static void serve() throws Exception {
    sandbox = Sandbox.create("[tasks]\nmax_running_commands = 1\n[limits]\nopen_files = 200\n");
    sandbox.serve();
  }

  @AfterAll
  static void end() throws IOException {
    sandbox.close();
  }

  @Test
  void a_limit_of_the_settings_holds_for_all_and_nobody_gets_more() throws Exception {
    try (var client = sandbox.client()) {
      var standard = Recording.of(client, client.spawn(NewTask.shell("ulimit -n")));
      assertThat(standard.stdout().text()).isEqualTo("200\n");
      var less = sandbox.errand("run", "--open-files", "50", "-c", "ulimit -n").succeeded();
      assertThat(less.line()).isEqualTo("50");
      assertThatThrownBy(() -> client.spawn(NewTask.shell("true").openFilesMax(201)))
          .hasMessageContaining("limits.open_files is 201; this daemon gives a task at most 200");
    }
  }

  @Test
  void a_task_that_uses_too_much_processor_time_says_so() throws Exception {
    var ran = sandbox.errand("run", "--cpu-time", "1s", "-c", "while :; do :; done");

    assertThat(ran.code()).isEqualTo(125);
    assertThat(ran.err()).contains("cpu_limit").contains("more processor time");
  }

  @Test
  @Alone
  void a_fork_bomb_is_held_the_daemon_answers_and_a_cancel_removes_all() throws Exception {
    try (var client = sandbox.client()) {
      assumeThat(limits()).as("a way to count processes").doesNotContain("processes=none");
      var bomb = "echo ready; bomb() { bomb | bomb & sleep 5; }; bomb; wait";
      var taskId =
          client.spawn(NewTask.shell(bomb).processesMax(64).timeout(Duration.ofMinutes(1)));
      await()
          .atMost(Sandbox.PATIENCE)
          .until(() -> client.status(taskId).bytesTotal(LogStream.STDERR) > 0);

      assertThat(client.status(taskId).status()).as("the daemon answers").isEqualTo("running");
      assertThat(processesOf(taskId.value())).as("while it goes on").isBetween(1L, 64L);

      client.cancel(taskId, "enough", null);
      var status = client.waitEnd(taskId, Sandbox.PATIENCE);
      assertThat(status.status()).isEqualTo("cancelled");
      assertThat(processesOf(taskId.value())).isZero();
    }
  }

  @Test
  void a_timeout_is_kept_while_the_daemon_is_dead() throws Exception {
    try (var client = sandbox.client()) {
      var taskId = client.spawn(NewTask.shell("sleep 60").timeout(Duration.ofSeconds(2)));
      await().atMost(Sandbox.PATIENCE).until(() -> client.status(taskId).pid() != null);
      var pid = Objects.requireNonNull(client.status(taskId).pid());

      sandbox.killDaemon();
      await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
      sandbox.serve();

      var status = client.waitEnd(taskId, Sandbox.PATIENCE);
      assertThat(status.reason()).isEqualTo("wall");
      var ran =
          Duration.between(
              Objects.requireNonNull(status.startedAt()), Objects.requireNonNull(status.endedAt()));
      assertThat(ran).isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(20));
    }
  }

  @Test
  void a_secret_reaches_the_task_and_nothing_else() throws Exception {
    try (var client = sandbox.client()) {
      var line = "echo $KEY; echo -n $KEY | base64; echo ${#KEY}; echo $KEY >&2";
      var taskId = client.spawn(NewTask.shell(line).secret("KEY", VALUE));

      var recording = Recording.of(client, taskId);

      assertThat(recording.stdout().lines()).containsExactly("[secret:KEY]", "[secret:KEY]", "22");
      assertThat(recording.stderr().text()).isEqualTo("[secret:KEY]\n");
      assertThat(sandbox.home().secrets().resolve(taskId.value())).doesNotExist();
      sandbox.assertNowhere(VALUE);
    }
  }

  @Test
  void a_waiting_task_whose_secrets_are_gone_is_not_started() throws Exception {
    try (var client = sandbox.client()) {
      var first = client.spawn(NewTask.shell("sleep 60"));
      var second = client.spawn(NewTask.shell("echo $KEY").secret("KEY", VALUE));

      Files.delete(sandbox.home().secrets().resolve(second.value()));
      client.cancel(first, "make room", null);

      var status = client.waitEnd(second, Sandbox.PATIENCE);
      assertThat(status.status()).isEqualTo("failed");
      assertThat(status.reason()).isEqualTo("secrets_gone");
      assertThat(status.message()).contains("KEY").contains("spawn the task again");
    }
  }

  private static String limits() throws IOException {
    try (var hosts = Files.list(sandbox.home().hosts())) {
      return Files.readString(hosts.findFirst().orElseThrow().resolve("limits"));
    }
  }

  private static long processesOf(String taskId) throws IOException {
    var count = 0L;
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (var process : processes) {
        try {
          var variables = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
          var state = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
          var zombie = state.substring(state.lastIndexOf(')') + 2).startsWith("Z");
          count += variables.contains("ERRAND_TASK_ID=" + taskId) && !zombie ? 1 : 0;
        } catch (IOException _) {
          // It has ended meanwhile.
        }
      }
    }
    return count;
  }
}
