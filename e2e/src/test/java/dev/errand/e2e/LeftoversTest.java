package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is left of tasks beside them: it is told, listed and ended, and nothing else is. */
final class LeftoversTest extends DaemonCase {
  /**
   * Prints the pid of what was just started, when it has become the program that was asked for. To
   * {@code grep} each argument would be a line.
   */
  private static final String ONCE_SLEEPING =
      "until tr '\\0' ' ' < /proc/$!/cmdline | grep -q ^sleep; do sleep 0.02; done; echo $!";

  /** Prints the pid of an orphan that has neither tag nor variable nor session of its task. */
  private static final String SHEDDING =
      "setsid env -i bash -c 'ulimit -S -R 12345; sleep 304 >/dev/null 2>&1 & echo $!'";

  @Test
  void run_and_status_say_which_background_children_were_ended() throws Exception {
    var ran = sandbox.errand("run", "-c", "nohup sleep 305 >/dev/null 2>&1 & " + ONCE_SLEEPING);

    var pid = ran.out().strip();
    var sentence = "1 background process that it left was ended: " + pid + " (sleep 305)";
    assertThat(ran.err()).contains(sentence);
    assertThat(Sandbox.isAlive(Long.parseLong(pid))).isFalse();
    var taskId = client.list(TaskFilter.ALL.limit(1)).tasks().getFirst().taskId();
    assertThat(sandbox.errand("wait", taskId.value()).err()).contains(sentence);
    var cancel = "{\"task_id\":\"" + taskId + "\"}";
    assertThat(sandbox.errand("tool", "background_cancel", cancel).out()).contains(sentence);
  }

  @Test
  void what_was_kept_is_listed_and_ended_by_a_cancel_also_after_a_restart() throws Exception {
    var line = "setsid sleep 306 >/dev/null 2>&1 & " + ONCE_SLEEPING;
    var taskId = client.spawn(NewTask.shell(line).leftover("keep"));
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    var pid = printed(taskId);
    try {
      assertThat(status.leftoverText())
          .contains("kept running: " + pid + " (sleep 306); cancel the task");
      sandbox.killDaemon();
      sandbox.serve();
      assertThat(sandbox.errand("doctor").out())
          .contains("      " + pid + " (sleep 306), task " + taskId.value().substring(0, 13));
      assertThat(Sandbox.isAlive(pid)).isTrue();

      client.cancel(taskId, "enough", null);

      await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
      assertThat(client.status(taskId).lastSeq()).isEqualTo(status.lastSeq());
      assertThat(sandbox.errand("doctor").out()).doesNotContain("(sleep 306)");
    } finally {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void who_escaped_is_named_by_each_task_and_ended_by_its_pid_alone() throws Exception {
    var other = client.spawn(NewTask.shell("echo; sleep 60"));
    Sandbox.awaitOutput(client, other);
    var shedding = client.spawn(NewTask.shell(SHEDDING + "; sleep 60"));
    Sandbox.awaitOutput(client, shedding);
    var pid = printed(shedding);
    try {
      for (var taskId : new TaskId[] {other, shedding}) {
        await()
            .atMost(Sandbox.PATIENCE)
            .untilAsserted(() -> assertThat(client.status(taskId).escaped()).containsExactly(pid));
      }
      client.cancel(shedding, "enough", Sandbox.PATIENCE);
      assertThat(Sandbox.isAlive(pid)).isTrue();
      assertThat(client.status(shedding).escaped()).containsExactly(pid);
      assertThat(sandbox.errand("doctor").out()).contains("warn  escaped", pid + " (sleep 304)");

      var leader = client.status(other).pid();
      var refused = sandbox.errand("doctor", "--end", String.valueOf(leader));
      assertThat(refused.err()).contains("did not escape from a task and was not left by one");
      assertThat(client.status(other).status()).isEqualTo("running");

      assertThat(sandbox.errand("doctor", "--end", Long.toString(pid)).out())
          .isEqualTo("ended: " + pid + "\n");
      assertThat(Sandbox.isAlive(pid)).isFalse();
      await().atMost(Sandbox.PATIENCE).until(() -> client.status(other).escaped().isEmpty());
    } finally {
      client.cancel(other, "enough", Sandbox.PATIENCE);
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private static long printed(TaskId taskId) {
    var part = client.output(taskId, LogStream.STDOUT, 0, 100);
    return Long.parseLong(new String(part.bytes(), StandardCharsets.UTF_8).strip());
  }
}
