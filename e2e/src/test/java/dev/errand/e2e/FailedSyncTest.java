package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The kernel says that a sync failed. It may say yes to the next one and have dropped the data, so
 * nothing may be acknowledged any more.
 */
@Timeout(120)
final class FailedSyncTest {
  private static final int JOURNAL_FAILED = 70;

  @Test
  void the_daemon_ends_without_an_acknowledgement_and_the_next_one_starts_the_task_once()
      throws Exception {
    try (var sandbox = Sandbox.create()) {
      var daemon = sandbox.serve();
      var ran = Files.createFile(sandbox.folder().resolve("ran"));
      var task = NewTask.shell("echo once >>'" + ran + "'");
      try (var client = sandbox.client();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        assertThat(client.isReady()).isTrue();
        var strace = failSyncs(daemon.pid());

        var spawned = threads.submit(() -> client.spawn(task, "the-key"));
        assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
        assertThat(daemon.exitValue()).isEqualTo(JOURNAL_FAILED);
        strace.waitFor();
        assertThat(Files.readString(sandbox.home().daemonLog())).contains("the journal failed");
        sandbox.serve();
        await().atMost(Sandbox.PATIENCE).until(spawned::isDone);

        var taskId = client.spawn(task, "the-key");
        assertThat(Recording.of(client, taskId).status().exitCode()).isZero();
        assertThat(Files.readAllLines(ran)).containsExactly("once");
      }
    }
  }

  /** From the return of this on the next sync of the process fails, and none after it. */
  private static Process failSyncs(long pid) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is missing");
    var strace =
        new ProcessBuilder(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-p",
                Long.toString(pid),
                "-e",
                "trace=fsync,fdatasync",
                "-e",
                "inject=fsync,fdatasync:error=EIO:when=1")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      await().atMost(Duration.ofSeconds(20)).until(() -> isTraced(pid) || !strace.isAlive());
    } catch (ConditionTimeoutException _) {
      strace.destroy();
    }
    assumeTrue(strace.isAlive(), "the right to trace another process is missing");
    return strace;
  }

  private static boolean isTraced(long pid) throws IOException {
    try (var threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (var thread : threads.toList()) {
        if (Files.readString(thread.resolve("status")).contains("TracerPid:\t0\n")) {
          return false;
        }
      }
      return true;
    }
  }
}
