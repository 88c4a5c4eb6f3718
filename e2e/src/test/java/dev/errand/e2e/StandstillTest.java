package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.NewTask;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A daemon or host that stands still for a while and then goes on has missed nothing. */
@Timeout(600)
final class StandstillTest extends DaemonCase {

  /** How long they stand still: {@code make torture} takes a minute. */
  private static final Duration PAUSE =
      Duration.ofSeconds(Integer.getInteger("errand.standstill_secs", 3));

  @Test
  void a_daemon_that_stood_still_finds_no_timeout_where_there_was_none() throws Exception {
    // It is over long before its time is, but nobody looks until long after.
    var quick =
        client.spawn(
            NewTask.shell("sleep 0.5; echo in time; exit 6")
                .timeout(Duration.ofSeconds(2))
                .idleTimeout(Duration.ofSeconds(2)));
    var slow = client.spawn(NewTask.shell("echo begun; sleep 300").timeout(Duration.ofSeconds(1)));
    Sandbox.awaitOutput(client, slow);
    var pid = Objects.requireNonNull(client.status(slow).pid());

    signal("STOP", sandbox.daemonPid());
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      // The host ends it while the daemon stands.
      await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
    } finally {
      signal("CONT", sandbox.daemonPid());
    }

    var recording = Recording.of(client, quick);
    assertThat(recording.status().exitCode()).isEqualTo(6);
    assertThat(recording.stdout().text()).isEqualTo("in time\n");
    assertThat(Recording.of(client, slow).status().error()).isEqualTo("timeout");
  }

  @Test
  void followers_of_a_daemon_that_stood_still_miss_nothing() throws Exception {
    var gate = sandbox.folder().resolve("gate-daemon");
    var taskId = client.spawn(counter(gate.toString()));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var bytes = new ByteArrayOutputStream();
      var following =
          threads.submit(() ->
              client.follow(
                  taskId,
                  -1,
                  (stream, _, piece) -> {
                    if (stream == LogStream.STDOUT) {
                      bytes.writeBytes(piece);
                    }
                  }));
      Sandbox.awaitOutput(client, taskId);

      standStill(sandbox.daemonPid());

      Sandbox.awaitMoreOutput(client, taskId);
      Files.createFile(gate);
      following.get();
      assertThat(bytes.toByteArray()).isEqualTo(Recording.of(client, taskId).stdout().bytes());
    }
  }

  @Test
  void a_host_that_stands_still_is_unreachable_and_its_tasks_stay_as_they_are() throws Exception {
    var gate = sandbox.folder().resolve("gate-host");
    var taskId = client.spawn(counter(gate.toString()));
    Sandbox.awaitOutput(client, taskId);
    var host = sandbox.hostPids().getFirst();

    signal("STOP", host);
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      assertThat(client.status(taskId).status()).isEqualTo("running");
      assertThat(client.status(taskId).attempt()).isOne();
    } finally {
      signal("CONT", host);
    }

    Sandbox.awaitMoreOutput(client, taskId);
    Files.createFile(gate);
    var recording = Recording.of(client, taskId);
    assertThat(recording.status().exitCode()).isEqualTo(7);
    assertThat(recording.status().attempt()).isOne();
    assertThat(sandbox.hostPids()).containsExactly(host);
    assertThat(recording.stdout().lines())
        .hasSize(Integer.parseInt(recording.stderr().text().strip()));
  }

  /** The one place where time must pass: standing still is a matter of time. */
  private static void standStill(long pid) throws IOException, InterruptedException {
    signal("STOP", pid);
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    } finally {
      signal("CONT", pid);
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  private static NewTask counter(String gate) {
    return NewTask.shell(
        "i=0; while [ ! -e '%s' ]; do i=$((i+1)); echo $i; sleep 0.05; done; echo $i >&2; exit 7"
            .formatted(gate));
  }
}
