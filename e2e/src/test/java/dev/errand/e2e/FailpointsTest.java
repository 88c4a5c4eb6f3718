package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Between any two steps a crash does no harm: daemon and host are killed at named points. */
@Timeout(120)
final class FailpointsTest {
  private static final int EXIT_CODE = 3;
  private static final int KILLED = 128 + 9;
  private static final int JOURNAL_FAILED = 70;

  private static Sandbox sandbox;
  private static ErrandClient client;
  private static Path ran;

  @BeforeAll
  static void make_a_home() throws IOException {
    sandbox = Sandbox.create();
    client = sandbox.client();
    ran = Files.createFile(sandbox.folder().resolve("ran"));
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    client.close();
    sandbox.close();
  }

  /** Each case arms its own points, which a daemon takes at its start. */
  @AfterEach
  void leave_no_daemon_to_the_next_case() throws IOException {
    sandbox.killDaemon();
  }

  /**
   * A host gets the points from the daemon that starts it. What an earlier one left is taken away,
   * since its records would pass points before the test begins.
   */
  private static Process serveWithNewHost(String failpoints) throws IOException {
    sandbox.killHosts();
    for (var file : Checkout.filesBelow(sandbox.home().hosts())) {
      Files.delete(file);
    }
    try (var folders = Files.walk(sandbox.home().hosts())) {
      for (var folder : folders.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(folder);
      }
    } catch (NoSuchFileException _) {
      // There was none yet.
    }
    return sandbox.serveWithFailpoints(failpoints);
  }

  /** It leaves a line where no crash of ours reaches it, so a second start cannot hide. */
  private static NewTask task() {
    return NewTask.shell(
        "echo $ERRAND_TASK_ID >>'%s'; echo out; exit %d".formatted(ran, EXIT_CODE));
  }

  // The first commit of a daemon is the one by which it takes the journal over.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "journal.commit=kill@2",
        "journal.committed=kill@2",
        "daemon.accepted=kill",
        "daemon.claimed=kill",
        "daemon.read=kill",
        "artifact.linked=kill",
        "daemon.recorded=kill"
      })
  void a_daemon_that_dies_there_has_started_the_task_once_and_knows_its_end(String failpoint)
      throws Exception {
    var daemon = serveWithNewHost(failpoint);
    var key = failpoint.replace('=', '-').replace('@', '-');
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var spawned = threads.submit(() -> client.spawn(task(), key));
      assertThat(daemon.waitFor(Sandbox.PATIENCE)).as("it dies at the point").isTrue();
      assertThat(daemon.exitValue()).isEqualTo(KILLED);
      sandbox.serve();

      var taskId = spawned.get();
      checkRunOnce(taskId);
      assertThat(client.spawn(task(), key)).isEqualTo(taskId);
    }
  }

  @Test
  void a_commit_that_fails_is_not_acknowledged_and_ends_the_daemon() throws Exception {
    var daemon = serveWithNewHost("journal.commit=error@2");

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // Refused, or asked again by the client where the answer got lost with the daemon.
      var spawned = threads.submit(() -> client.spawn(task(), "failing"));
      assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
      assertThat(daemon.exitValue()).isEqualTo(JOURNAL_FAILED);
      sandbox.serve();
      await().atMost(Sandbox.PATIENCE).until(spawned::isDone);
    }

    checkRunOnce(client.spawn(task(), "failing"));
  }

  private static void checkRunOnce(TaskId taskId) throws IOException {
    var recording = Recording.of(client, taskId);
    assertThat(recording.status().exitCode()).isEqualTo(EXIT_CODE);
    assertThat(recording.status().attempt()).isOne();
    assertThat(recording.stdout().text()).isEqualTo("out\n");
    assertThat(timesRun(taskId)).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"host.intended=kill", "host.spawned=kill", "host.exited=kill"})
  void a_host_that_dies_there_leaves_no_task_run_twice_in_one_attempt(String failpoint)
      throws Exception {
    serveWithNewHost(failpoint);
    var host = sandbox.hostPids();
    var tasks =
        List.of(
            client.spawn(task()),
            client.spawn(task().onRestart("requeue")),
            client.spawn(task().onRestart("requeue")));

    for (var taskId : tasks) {
      checkRunAtMostOncePerAttempt(taskId);
    }
    assertThat(host).hasSize(1).noneMatch(Sandbox::isAlive);
    var last = tasks.getLast();
    assertThat(client.status(last).exitCode()).isEqualTo(EXIT_CODE);
    assertThat(timesRun(last)).isPositive();
  }

  private static void checkRunAtMostOncePerAttempt(TaskId taskId) throws IOException {
    var recording = Recording.of(client, taskId);
    var attempts = recording.ofType(FrameType.ATTEMPT).size();
    assertThat(recording.status().attempt()).isEqualTo(attempts);
    assertThat(timesRun(taskId)).isLessThanOrEqualTo(attempts);
    if (recording.status().status().equals("exited")) {
      assertThat(recording.status().exitCode()).isEqualTo(EXIT_CODE);
      assertThat(timesRun(taskId)).isPositive();
    } else {
      assertThat(recording.status().error()).isEqualTo("lost");
    }
  }

  @Test
  void a_process_of_which_its_host_wrote_nothing_is_killed_before_its_task_is_lost()
      throws Exception {
    serveWithNewHost("host.spawned=kill");

    var taskId = client.spawn(NewTask.shell("exec sleep 1000"));

    var recording = Recording.of(client, taskId);
    assertThat(recording.status().error()).isEqualTo("lost");
    assertThat(recording.terminal().fields().numbers("killed")).hasSize(1);
    assertThat(processesOf(taskId)).isEmpty();
  }

  private static List<ProcessHandle> processesOf(TaskId taskId) {
    return ProcessHandle.allProcesses().filter(it -> isOf(it, taskId)).toList();
  }

  private static boolean isOf(ProcessHandle process, TaskId taskId) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/environ"))
          .contains("ERRAND_TASK_ID=" + taskId.value());
    } catch (IOException _) {
      // It is gone, or somebody else's.
      return false;
    }
  }

  @Test
  void a_second_attempt_never_runs_beside_a_first_of_which_its_host_wrote_nothing()
      throws Exception {
    serveWithNewHost("host.spawned=kill");
    var alone = sandbox.folder().resolve("alone");
    var over = sandbox.folder().resolve("over");
    var line =
        "exec 9>'%s'; flock -n 9 || exit 9; while [ ! -e '%s' ]; do sleep 0.05; done; exit %d"
            .formatted(alone, over, EXIT_CODE);

    var taskId = client.spawn(NewTask.shell(line).onRestart("requeue"));

    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> client.status(taskId), it -> it.attempt() == 2 && it.startedAt() != null);
    Files.createFile(over);
    assertThat(Recording.of(client, taskId).status().exitCode()).isEqualTo(EXIT_CODE);
  }

  @Test
  void output_that_the_log_did_not_take_is_named_and_the_task_goes_on() throws Exception {
    serveWithNewHost("host.log=error");
    var line = "echo lost; read -r line; echo kept; exit %d".formatted(EXIT_CODE);
    var taskId = client.spawn(NewTask.shell(line).withStdin());
    try (var events = client.events(taskId, -1)) {
      var frame = events.next();
      while (frame != null && !frame.type().equals(FrameType.OUTPUT_GAP)) {
        frame = events.next();
      }
      assertThat(frame).isNotNull();
      assertThat(frame.fields().number("from")).isZero();
      assertThat(frame.fields().number("to")).isEqualTo("lost\n".length());
    }
    client.stdin(taskId, "on\n".getBytes(UTF_8), true);

    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.exitCode()).isEqualTo(EXIT_CODE);
    assertThat(client.output(taskId, LogStream.STDOUT, 5, 100).bytes())
        .asString()
        .isEqualTo("kept\n");
  }

  private static long timesRun(TaskId taskId) throws IOException {
    return Files.readAllLines(ran).stream().filter(taskId.value()::equals).count();
  }
}
