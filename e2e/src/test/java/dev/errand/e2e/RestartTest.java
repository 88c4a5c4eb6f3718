package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon dies or stops while commands run and wait: nothing is lost and nothing runs twice. */
@Timeout(180)
final class RestartTest {
  private static final int PLACES = 2;

  /** Generous, and far below what a task may take to end. */
  private static final Duration STOP_MAX = Duration.ofSeconds(20);

  private static Sandbox sandbox;

  @BeforeAll
  static void make_a_home() throws IOException {
    sandbox = Sandbox.create("[tasks]\nmax_running_commands = " + PLACES + "\n");
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    sandbox.close();
  }

  /** A file that commands wait for. */
  private static Path gate(String name) {
    return sandbox.folder().resolve(name);
  }

  /** Counts on stdout until its gate opens, then says how far it came and exits with 7. */
  private static NewTask counter(Path gate) {
    return NewTask.shell(
        "i=0; while [ ! -e '%s' ]; do i=$((i+1)); echo $i; sleep 0.02; done; echo $i >&2; exit 7"
            .formatted(gate));
  }

  private static void checkCounted(Recording recording) {
    var last = Integer.parseInt(recording.stderr().text().strip());
    var expected = IntStream.rangeClosed(1, last).mapToObj(Integer::toString).toList();
    assertThat(recording.stdout().lines()).isEqualTo(expected);
    assertThat(recording.status().status()).isEqualTo("exited");
    assertThat(recording.status().exitCode()).isEqualTo(7);
    assertThat(recording.status().attempt()).isOne();
  }

  @Test
  void a_command_goes_on_without_a_daemon_and_the_next_one_adopts_it() throws Exception {
    var daemon = sandbox.serve();
    try (var client = sandbox.client()) {
      var gate = gate("adopted");
      var taskId = client.spawn(counter(gate));
      Sandbox.awaitOutput(client, taskId);
      var pid = client.status(taskId).pid();

      sandbox.killDaemon();
      awaitGrowth(sandbox.home().logs());
      daemon.waitFor();
      sandbox.serve();

      assertThat(client.status(taskId).pid()).isEqualTo(pid).isNotNull();
      Sandbox.awaitMoreOutput(client, taskId);
      Files.createFile(gate);
      checkCounted(Recording.of(client, taskId));
    } finally {
      sandbox.killDaemon();
    }
  }

  @Test
  void what_ends_while_no_daemon_runs_is_recorded_by_the_next_one() throws Exception {
    sandbox.serve();
    try (var client = sandbox.client()) {
      var gate = gate("ended");
      var taskId = client.spawn(counter(gate));
      Sandbox.awaitOutput(client, taskId);
      var pid = client.status(taskId).fields().number("pid");

      sandbox.killDaemon();
      Files.createFile(gate);
      await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
      sandbox.serve();

      checkCounted(Recording.of(client, taskId));
    } finally {
      sandbox.killDaemon();
    }
  }

  @Test
  void tasks_that_wait_for_a_place_run_exactly_once_each_after_a_kill() throws Exception {
    var ran = sandbox.folder().resolve("queue-ran");
    var gate = gate("queue");
    sandbox.serve();
    try (var client = sandbox.client()) {
      var tasks = new ArrayList<TaskId>();
      for (var i = 0; i < 7; i++) {
        var line =
            "echo $ERRAND_TASK_ID >>'%s'; while [ ! -e '%s' ]; do sleep 0.05; done"
                .formatted(ran, gate);
        tasks.add(client.spawn(NewTask.shell(line)));
      }
      await().atMost(Sandbox.PATIENCE).until(() -> Files.exists(ran) && lines(ran) == PLACES);

      sandbox.killDaemon();
      sandbox.serve();

      assertThat(client.list(TaskFilter.ALL.status("queued")).tasks()).hasSize(7 - PLACES);
      assertThat(lines(ran)).isEqualTo(PLACES);
      Files.createFile(gate);
      for (var taskId : tasks) {
        assertThat(Recording.of(client, taskId).status().exitCode()).isZero();
      }
      assertThat(Files.readAllLines(ran))
          .containsExactlyInAnyOrderElementsOf(tasks.stream().map(TaskId::value).toList());
    } finally {
      sandbox.killDaemon();
    }
  }

  @Test
  void a_second_daemon_refuses_the_home_also_when_daemon_json_is_stale() throws Exception {
    sandbox.serve();
    var announced = Files.readString(sandbox.home().daemonFile());
    try {
      var second = sandbox.errand("serve");

      assertThat(second.code()).isEqualTo(1);
      assertThat(second.err()).contains("another daemon runs in " + sandbox.home().root());

      var nobody = announced.replaceFirst("\"pid\"\\s*:\\s*\\d+", "\"pid\":99999999");
      assertThat(nobody).isNotEqualTo(announced);
      Files.writeString(sandbox.home().daemonFile(), nobody);
      assertThat(sandbox.errand("serve").err()).contains("another daemon runs in");
      assertThat(Files.readString(sandbox.home().daemonFile())).isEqualTo(nobody);
      try (var client = sandbox.client()) {
        assertThat(client.isReady()).isTrue();
      }
    } finally {
      Files.writeString(sandbox.home().daemonFile(), announced);
      sandbox.killDaemon();
    }
  }

  @Test
  void what_a_killed_daemon_leaves_does_not_hinder_the_next_start() throws Exception {
    sandbox.serve();
    var killed = sandbox.daemonPid();
    sandbox.killDaemon();
    assertThat(sandbox.home().daemonFile()).exists();
    assertThat(sandbox.home().socket()).exists();

    assertThat(sandbox.errand("ls").code()).as("no daemon runs").isEqualTo(4);
    sandbox.up();

    assertThat(sandbox.daemonPid()).isNotEqualTo(killed);
    assertThat(sandbox.errand("run", "--", "echo", "hello").line()).isEqualTo("hello");
    sandbox.killDaemon();
  }

  @Test
  void sigterm_stops_the_daemon_cleanly_and_leaves_tasks_running() throws Exception {
    var daemon = sandbox.serve();
    try (var client = sandbox.client()) {
      var gate = gate("terminated");
      var taskId = client.spawn(counter(gate));
      // It is being ended, and would take an hour to: nobody waits for that.
      var stubborn =
          client.spawn(
              NewTask.shell("trap '' TERM; echo ready; while :; do sleep 0.1; done")
                  .grace(Duration.ofHours(1)));
      Sandbox.awaitOutput(client, stubborn);
      client.cancel(stubborn, "enough", null);
      Sandbox.awaitOutput(client, taskId);
      var pid = Objects.requireNonNull(client.status(stubborn).pid());

      daemon.destroy();
      assertThat(daemon.waitFor(STOP_MAX)).isTrue();
      // As the shell shows a process that ended by SIGTERM, having cleaned up behind itself.
      assertThat(daemon.exitValue()).isEqualTo(143);
      assertThat(sandbox.home().daemonFile()).doesNotExist();
      assertThat(sandbox.home().socket()).doesNotExist();
      awaitGrowth(sandbox.home().logs());

      sandbox.serve();
      assertThat(client.status(stubborn).pid()).isEqualTo(pid).isNotNull();
      assertThat(Sandbox.isAlive(pid)).isTrue();
      assertThat(client.status(stubborn).isCancelRequested()).isTrue();
      client.signal(stubborn, "KILL");
      assertThat(Recording.of(client, stubborn).status().status()).isEqualTo("cancelled");
      Files.createFile(gate);
      checkCounted(Recording.of(client, taskId));
    } finally {
      sandbox.killDaemon();
    }
  }

  @Test
  void a_daemon_that_keeps_nothing_ends_its_tasks_when_it_stops() throws Exception {
    try (var forgetful = Sandbox.create("[tasks]\npersist = false\n")) {
      var daemon = forgetful.serve();
      try (var client = forgetful.client()) {
        var line = "trap '' TERM; echo ready; while :; do sleep 0.1; done";
        var taskId = client.spawn(NewTask.shell(line).grace(Duration.ofMillis(300)));
        Sandbox.awaitOutput(client, taskId);
        var pid = Objects.requireNonNull(client.status(taskId).pid());

        daemon.destroy();

        assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
        assertThat(Sandbox.isAlive(pid)).isFalse();
        assertThat(forgetful.hostPids()).isEmpty();
        forgetful.serve();
        assertThat(client.list(TaskFilter.ALL).tasks()).isEmpty();
      }
    }
  }

  @Test
  void a_daemon_that_keeps_nothing_takes_its_tasks_along_when_it_is_killed() throws Exception {
    try (var forgetful = Sandbox.create("[tasks]\npersist = false\n")) {
      var daemon = forgetful.serve();
      try (var client = forgetful.client()) {
        var taskId = client.spawn(NewTask.shell("echo ready; exec sleep 300"));
        Sandbox.awaitOutput(client, taskId);
        var pid = Objects.requireNonNull(client.status(taskId).pid());

        daemon.destroyForcibly().waitFor();

        await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
        await().atMost(Sandbox.PATIENCE).until(() -> forgetful.hostPids().isEmpty());
      }
    }
  }

  @Test
  void the_folder_of_a_session_is_the_same_after_a_restart() throws Exception {
    try (var placed = Sandbox.create("")) {
      var daemon = placed.serve();
      var folder = Files.createDirectory(placed.folder().resolve("app")).toString();
      try (var client = placed.client()) {
        client.spawn(NewTask.shell("true").session("placed").cwd(folder));
        daemon.destroyForcibly().waitFor();

        placed.serve();

        var taskId = client.spawn(NewTask.shell("pwd").session("placed"));
        assertThat(client.status(taskId).cwd()).isEqualTo(folder);
        assertThat(client.sessions().show("placed").text("folder")).isEqualTo(folder);
        assertThat(placed.errand("session", "show", "placed").out()).contains(folder);
        client.waitEnd(taskId, Sandbox.PATIENCE);
      }
    }
  }

  @Test
  void hosts_of_a_journal_that_is_gone_are_named_and_end_with_all_others() throws Exception {
    try (var replaced = Sandbox.create("")) {
      var daemon = replaced.serve();
      try (var client = replaced.client()) {
        var taskId = client.spawn(NewTask.shell("echo ready; exec sleep 300"));
        Sandbox.awaitOutput(client, taskId);
        var pid = Objects.requireNonNull(client.status(taskId).pid());
        daemon.destroyForcibly().waitFor();
        replaced.removeJournal();

        daemon = replaced.serve(replaced.builder("serve", "--new-journal"));

        assertThat(replaced.errand("doctor").out()).contains("1 hosts belong to another journal");
        assertThat(Sandbox.isAlive(pid)).isTrue();
        client.shutdown(true);
        assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
        assertThat(Sandbox.isAlive(pid)).isFalse();
        assertThat(replaced.hostPids()).isEmpty();
      }
    }
  }

  /** Until the logs on disk have more bytes than now. */
  private static void awaitGrowth(Path logs) {
    var before = bytesBelow(logs);
    await()
        .atMost(Sandbox.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> bytesBelow(logs) > before);
  }

  private static long bytesBelow(Path folder) {
    return Checkout.filesBelow(folder).stream().mapToLong(it -> it.toFile().length()).sum();
  }

  private static int lines(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return lines.size();
  }
}
