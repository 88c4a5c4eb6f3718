package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The daemon is told to stop while tasks run: what becomes of them is what was set, and the stop
 * takes no longer than was set. That they go on by default is held by {@link RestartTest}.
 */
@Timeout(180)
final class OnStopTest {

  /** Generous, and far below the waits that a test sets to show that nobody waits for them. */
  private static final Duration STOP_MAX = Duration.ofSeconds(30);

  private static final String STUBBORN = "trap '' TERM; echo ready; while :; do sleep 0.1; done";

  private static String settings(String onStop, int waitSeconds) {
    return "[tasks]\nmax_running_commands = 2\non_stop = \"%s\"\nstop_wait_secs = %d\n"
        .formatted(onStop, waitSeconds);
  }

  /** Says that it runs, and exits with 7 when its gate opens. */
  private static NewTask waiting(Path gate) {
    return NewTask.shell(
        "echo ready; while [ ! -e '%s' ]; do sleep 0.02; done; exit 7".formatted(gate));
  }

  private static long pid(ErrandClient client, TaskId taskId) {
    Sandbox.awaitOutput(client, taskId);
    return Objects.requireNonNull(client.status(taskId).pid());
  }

  private static void assertGone(Process daemon) throws InterruptedException {
    assertThat(daemon.waitFor(STOP_MAX)).as("the daemon has stopped").isTrue();
    assertThat(daemon.exitValue()).isEqualTo(143);
  }

  private static void awaitStopping(ErrandClient client) {
    await().atMost(Sandbox.PATIENCE).until(() -> !client.isReady());
  }

  private static String log(Sandbox sandbox) throws IOException {
    return Files.readString(sandbox.home().daemonLog());
  }

  @Test
  void kill_cancels_every_task_and_the_next_daemon_knows_why() throws Exception {
    try (var sandbox = Sandbox.create(settings("kill", 600));
        var client = sandbox.client()) {
      var daemon = sandbox.serve();
      var plain = client.spawn(NewTask.shell("echo ready; exec sleep 1000"));
      var stubborn = client.spawn(NewTask.shell(STUBBORN).grace(Duration.ofMillis(300)));
      var pids = List.of(pid(client, plain), pid(client, stubborn));
      var queued = client.spawn(NewTask.shell("echo never"));

      daemon.destroy();
      assertGone(daemon);

      assertThat(pids).noneMatch(Sandbox::isAlive);
      assertThat(log(sandbox)).contains("stopping; 0 tasks are left in their hosts");
      sandbox.serve();
      for (var taskId : List.of(plain, stubborn, queued)) {
        var status = Recording.of(client, taskId).status();
        assertThat(status.status()).isEqualTo("cancelled");
        assertThat(status.message()).isEqualTo("the daemon was stopped");
        assertThat(status.by()).isEqualTo("daemon");
      }
    }
  }

  @Test
  void kill_waits_no_longer_than_is_set_and_a_reload_sets_it() throws Exception {
    try (var sandbox = Sandbox.create();
        var client = sandbox.client()) {
      var daemon = sandbox.serve();
      var stubborn = client.spawn(NewTask.shell(STUBBORN).grace(Duration.ofHours(1)));
      var pid = pid(client, stubborn);
      Files.writeString(sandbox.home().config(), settings("kill", 1));
      sandbox.errand("reload").succeeded();

      daemon.destroy();
      assertGone(daemon);

      assertThat(Sandbox.isAlive(pid)).isTrue();
      assertThat(log(sandbox)).contains("stopping; 1 tasks are left in their hosts");
      sandbox.serve();
      assertThat(client.status(stubborn).pid()).isEqualTo(pid);
      assertThat(client.status(stubborn).isCancelRequested()).isTrue();
      client.signal(stubborn, "KILL");
      var status = Recording.of(client, stubborn).status();
      assertThat(status.status()).isEqualTo("cancelled");
      assertThat(status.message()).isEqualTo("the daemon was stopped");
    }
  }

  @Test
  void drain_lets_tasks_end_begins_none_and_a_second_signal_ends_the_wait() throws Exception {
    try (var sandbox = Sandbox.create(settings("drain", 600));
        var client = sandbox.client();
        var hasty = ErrandClient.connect(sandbox.home(), hasty())) {
      var daemon = sandbox.serve();
      var gate = sandbox.folder().resolve("gate");
      var other = sandbox.folder().resolve("other");
      var brief = client.spawn(waiting(gate));
      var lasting = client.spawn(waiting(other));
      pid(client, brief);
      var pid = pid(client, lasting);
      var queued = client.spawn(NewTask.shell("exit 3"));

      daemon.destroy();
      awaitStopping(client);
      var refusal =
          catchThrowableOfType(ErrandException.class, () -> hasty.spawn(NewTask.shell("true")));
      assertThat(refusal.code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
      Files.createFile(gate);
      var status = Recording.of(client, brief).status();
      assertThat(status.exitCode()).isEqualTo(7);
      assertThat(client.status(queued).status()).isEqualTo("queued");
      assertThat(daemon.isAlive()).as("one task runs, and the wait is not over").isTrue();

      daemon.destroy();
      assertGone(daemon);

      assertThat(log(sandbox)).contains("stopping; 1 tasks are left in their hosts");
      assertThat(Sandbox.isAlive(pid)).isTrue();
      sandbox.serve();
      assertThat(client.status(lasting).pid()).isEqualTo(pid);
      assertThat(Recording.of(client, queued).status().exitCode()).isEqualTo(3);
      Files.createFile(other);
      var adopted = Recording.of(client, lasting).status();
      assertThat(adopted.exitCode()).isEqualTo(7);
      assertThat(adopted.attempt()).isOne();
    }
  }

  private static ClientOptions hasty() {
    return ClientOptions.DEFAULT.withPatience(Duration.ZERO);
  }

  @Test
  void drain_is_over_with_the_last_task() throws Exception {
    try (var sandbox = Sandbox.create(settings("drain", 600));
        var client = sandbox.client()) {
      var daemon = sandbox.serve();
      var gate = sandbox.folder().resolve("gate");
      var taskId = client.spawn(waiting(gate));
      pid(client, taskId);
      var down = sandbox.builder("down").start();
      awaitStopping(client);

      Files.createFile(gate);

      assertThat(down.waitFor(Sandbox.PATIENCE)).isTrue();
      assertThat(down.exitValue()).isZero();
      assertThat(new String(down.getInputStream().readAllBytes(), UTF_8))
          .isEqualTo("stopped; tasks that did not end in time go on\n");
      assertThat(daemon.waitFor(STOP_MAX)).isTrue();
      assertThat(daemon.exitValue()).isZero();
      sandbox.serve();
      assertThat(client.status(taskId).exitCode()).isEqualTo(7);
    }
  }

  @Test
  void drain_waits_no_longer_than_is_set() throws Exception {
    try (var sandbox = Sandbox.create(settings("drain", 1));
        var client = sandbox.client()) {
      var daemon = sandbox.serve();
      var gate = sandbox.folder().resolve("gate");
      var taskId = client.spawn(waiting(gate));
      var pid = pid(client, taskId);

      daemon.destroy();
      assertGone(daemon);

      assertThat(Sandbox.isAlive(pid)).isTrue();
      sandbox.serve();
      Files.createFile(gate);
      assertThat(Recording.of(client, taskId).status().exitCode()).isEqualTo(7);
    }
  }

  @Test
  void who_wants_all_to_end_need_not_wait_for_a_drain() throws Exception {
    try (var sandbox = Sandbox.create(settings("drain", 600));
        var client = sandbox.client()) {
      var daemon = sandbox.serve();
      var taskId = client.spawn(waiting(sandbox.folder().resolve("never")));
      var pid = pid(client, taskId);
      daemon.destroy();
      awaitStopping(client);

      assertThat(sandbox.errand("down", "--all").line()).isEqualTo("stopped, with all tasks");

      assertThat(Sandbox.isAlive(pid)).isFalse();
      sandbox.serve();
      assertThat(client.status(taskId).message()).isEqualTo("errand down --all");
    }
  }

  @Test
  void nobody_calls_off_that_all_are_to_end() throws Exception {
    try (var sandbox = Sandbox.create();
        var client = sandbox.client()) {
      var daemon = sandbox.serve();
      var taskId = client.spawn(NewTask.shell(STUBBORN).grace(Duration.ofSeconds(1)));
      var pid = pid(client, taskId);
      var down = sandbox.builder("down", "--all").start();
      awaitStopping(client);

      daemon.destroy();

      assertThat(down.waitFor(Sandbox.PATIENCE)).isTrue();
      assertThat(down.exitValue()).isZero();
      assertThat(daemon.waitFor(STOP_MAX)).isTrue();
      assertThat(Sandbox.isAlive(pid)).isFalse();
      sandbox.serve();
      assertThat(client.status(taskId).message()).isEqualTo("errand down --all");
    }
  }

  @Test
  void a_restart_leaves_tasks_running_whatever_is_set_and_down_does_not() throws Exception {
    try (var sandbox = Sandbox.create(settings("kill", 600));
        var client = sandbox.client()) {
      sandbox.up();
      var taskId = client.spawn(NewTask.shell("echo ready; exec sleep 1000"));
      var pid = pid(client, taskId);

      sandbox.errand("restart").succeeded();

      assertThat(client.status(taskId).pid()).isEqualTo(pid);
      assertThat(client.status(taskId).isCancelRequested()).isFalse();
      assertThat(Sandbox.isAlive(pid)).isTrue();
      assertThat(sandbox.errand("down").line()).isEqualTo("stopped; tasks were cancelled");
      assertThat(Sandbox.isAlive(pid)).isFalse();
      sandbox.up();
      assertThat(client.status(taskId).message()).isEqualTo("the daemon was stopped");
    }
  }
}
