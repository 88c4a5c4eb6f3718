package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that compile step back behind those that somebody waits for; tasks do not. */
@Timeout(60)
final class CompilersTest extends DaemonCase {
  private static final int NICE_FIELD = 16;

  @Test
  void daemon_and_host_compile_when_there_is_time() throws Exception {
    var taskId = client.spawn(NewTask.shell("nice"));
    assertThat(Recording.of(client, taskId).stdout().text()).isEqualTo("0\n");
    var processes = new ArrayList<>(sandbox.hostPids());
    processes.add(sandbox.daemonPid());

    for (var process : processes) {
      await()
          .untilAsserted(() ->
              assertThat(niceness(process, "C1 Compiler", "C2 Compiler"))
                  .isNotEmpty()
                  .containsOnly(10));
      assertThat(niceness(process, "host-io", "journal-sync")).isNotEmpty().containsOnly(0);
    }
  }

  private static List<Integer> niceness(long pid, String... names) throws IOException {
    var found = new ArrayList<Integer>();
    try (var threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (var thread : threads.toList()) {
        var stat = Files.readString(thread.resolve("stat"));
        var name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        if (List.of(names).stream().anyMatch(name::startsWith)) {
          var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
          found.add(Integer.parseInt(fields[NICE_FIELD]));
        }
      }
    }
    return found;
  }
}
