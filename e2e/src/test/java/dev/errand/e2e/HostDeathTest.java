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
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The host is killed: whoever it left is found and ended, and no task stays in between. */
@Timeout(120)
final class HostDeathTest {

  /** Two processes, whose pids it prints, that would go on for longer than any test. */
  private static final String PAIR = "sleep 1000 & echo $$ $!; wait";

  private static Sandbox sandbox;
  private static ErrandClient client;

  @BeforeAll
  static void make_a_home() throws IOException {
    sandbox = Sandbox.create();
    client = sandbox.client();
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    client.close();
    sandbox.close();
  }

  @BeforeEach
  void start_a_daemon_unless_one_runs() throws IOException {
    if (!client.isReady()) {
      sandbox.serve();
    }
  }

  @Test
  void a_task_of_a_killed_host_is_lost_and_its_processes_are_killed_and_named() throws Exception {
    var taskId = client.spawn(NewTask.shell(PAIR));
    var pids = pidsPrinted(taskId, 2);

    sandbox.killHosts();

    checkLost(Recording.of(client, taskId), pids);
  }

  @Test
  void new_tasks_work_at_once_while_a_host_is_dead() throws Exception {
    var lost = client.spawn(NewTask.shell(PAIR));
    pidsPrinted(lost, 2);

    sandbox.killHosts();
    var fresh = client.spawn(NewTask.shell("echo fresh"));

    var recording = Recording.of(client, fresh);
    assertThat(recording.stdout().text()).isEqualTo("fresh\n");
    assertThat(recording.status().exitCode()).isZero();
    assertThat(Recording.of(client, lost).status().error()).isEqualTo("lost");
  }

  @Test
  void a_task_that_may_be_requeued_runs_again_as_its_second_attempt() throws Exception {
    var mark = sandbox.folder().resolve("requeued");
    var line =
        "echo $$; if [ -e '%s' ]; then echo again; exit 5; fi; touch '%s'; sleep 1000"
            .formatted(mark, mark);
    var task = NewTask.shell(line).onRestart("requeue");
    var taskId = client.spawn(task);
    var first = pidsPrinted(taskId, 1).getFirst();
    await().atMost(Sandbox.PATIENCE).until(() -> mark.toFile().exists());

    sandbox.killHosts();

    var recording = Recording.of(client, taskId);
    assertThat(recording.status().status()).isEqualTo("exited");
    assertThat(recording.status().exitCode()).isEqualTo(5);
    assertThat(recording.status().attempt()).isEqualTo(2);
    assertThat(recording.ofType(FrameType.ATTEMPT))
        .extracting(it -> it.fields().number("attempt"))
        .containsExactly(1L, 2L);
    var requeued = recording.ofType(FrameType.REQUEUED);
    assertThat(requeued).hasSize(1);
    assertThat(requeued.getFirst().fields().numbers("killed")).contains(first);
    // Both attempts write to one log, the second behind the first.
    var lines = recording.stdout().lines();
    assertThat(lines).hasSize(3).startsWith(Long.toString(first)).endsWith("again");
    assertThat(lines.get(1)).isNotEqualTo(lines.getFirst());
    assertThat(Sandbox.isAlive(first)).isFalse();
  }

  @Test
  void a_cancel_that_was_asked_before_settles_as_cancelled() throws Exception {
    var task = NewTask.shell("trap '' TERM; echo $$; while :; do sleep 1; done");
    var taskId = client.spawn(task.grace(Duration.ofSeconds(60)).onRestart("requeue"));
    var pid = pidsPrinted(taskId, 1).getFirst();
    assertThat(client.cancel(taskId, "enough", null).isEnded()).isFalse();

    sandbox.killHosts();

    var recording = Recording.of(client, taskId);
    assertThat(recording.status().status()).isEqualTo("cancelled");
    assertThat(recording.status().message()).isEqualTo("enough");
    assertThat(recording.status().attempt()).isOne();
    assertThat(Sandbox.isAlive(pid)).isFalse();
  }

  @Test
  void host_and_daemon_killed_together_leave_nothing_that_hangs() throws Exception {
    var lost = client.spawn(NewTask.shell(PAIR));
    var again = client.spawn(NewTask.shell("echo $$; sleep 2; exit 3").onRestart("requeue"));
    var pids = pidsPrinted(lost, 2);
    var first = pidsPrinted(again, 1).getFirst();

    sandbox.killDaemon();
    sandbox.killHosts();
    assertThat(pids).as("the death of a host is not that of its tasks").allMatch(Sandbox::isAlive);
    sandbox.serve();

    checkLost(Recording.of(client, lost), pids);
    var recording = Recording.of(client, again);
    assertThat(recording.status().attempt()).isEqualTo(2);
    assertThat(recording.status().exitCode()).isEqualTo(3);
    assertThat(recording.stdout().lines()).hasSize(2).startsWith(Long.toString(first));
    assertThat(Recording.of(client, client.spawn(NewTask.shell("true"))).status().exitCode())
        .isZero();
  }

  @Test
  void a_host_that_is_killed_while_it_hunts_for_another_is_replaced() throws Exception {
    var taskId = client.spawn(NewTask.shell(PAIR));
    var pids = pidsPrinted(taskId, 2);

    sandbox.killHosts();
    await().atMost(Sandbox.PATIENCE).until(() -> !sandbox.hostPids().isEmpty());
    sandbox.killHosts();

    checkLost(Recording.of(client, taskId), pids);
  }

  private static void checkLost(Recording recording, List<Long> pids) {
    assertThat(recording.status().status()).isEqualTo("failed");
    assertThat(recording.status().error()).isEqualTo("lost");
    assertThat(recording.status().reason()).isEqualTo("lost");
    assertThat(recording.terminal().fields().numbers("killed")).containsAll(pids);
    assertThat(recording.terminal().fields().numbers("survivors")).isEmpty();
    assertThat(pids).noneMatch(Sandbox::isAlive);
  }

  /** The first numbers that a task prints. */
  private static List<Long> pidsPrinted(TaskId taskId, int count) {
    return await().atMost(Sandbox.PATIENCE).until(() -> numbers(taskId), it -> it.size() >= count);
  }

  private static List<Long> numbers(TaskId taskId) {
    var text = new String(client.output(taskId, LogStream.STDOUT, 0, 100).bytes(), UTF_8);
    return text.endsWith("\n")
        ? List.of(text.strip().split("\\s+")).stream().map(Long::valueOf).toList()
        : List.of();
  }
}
