package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.NewTask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody deletes the home under a running daemon: nothing goes on where nobody can find it. */
@Timeout(120)
final class HomeGoneTest {

  @Test
  void daemon_host_and_tasks_end_by_themselves() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var daemon = sandbox.serve();
      var hosts = sandbox.hostPids();
      long pid;
      try (var client = sandbox.client()) {
        var taskId = client.spawn(NewTask.shell("echo begun; sleep 1000"));
        await()
            .atMost(Sandbox.PATIENCE)
            .until(() -> client.status(taskId).bytesTotal(LogStream.STDOUT) > 0);
        pid = client.status(taskId).fields().number("pid");
      }

      delete(sandbox.home().root());

      assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
      assertThat(daemon.exitValue()).isEqualTo(72);
      await().atMost(Sandbox.PATIENCE).until(() -> hosts.stream().noneMatch(Sandbox::isAlive));
      await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
      assertThat(hosts).isNotEmpty();
    }
  }

  private static void delete(Path root) throws Exception {
    try (var tree = Files.walk(root)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
