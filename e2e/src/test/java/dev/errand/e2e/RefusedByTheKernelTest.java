package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The machine has no processes, files or memory to give: tasks fail by name, and nothing leaks. */
@Timeout(180)
final class RefusedByTheKernelTest extends DaemonCase {
  private static final int TIMES = 20;

  @BeforeAll
  static void start_a_host() {
    // One for each of the threads that start processes, so that both are there.
    for (var i = 0; i < 4; i++) {
      assertThat(exitCode("true")).isZero();
    }
  }

  private static int exitCode(String command) {
    return Recording.of(client, client.spawn(NewTask.shell(command))).status().exitCode();
  }

  @ParameterizedTest(name = "{1} from {0}")
  @CsvSource({
    "'clone,clone3,vfork', EAGAIN, not_started: resource temporarily unavailable",
    "'clone,clone3,vfork', ENOMEM, not_started: out of memory",
    "pipe2, ENFILE, not_started: too many open files in the system",
    "pipe2, EMFILE, not_started: too many open files",
  })
  void a_task_that_gets_no_process_fails_by_name_and_the_next_one_runs(
      String calls, String error, String words) throws Exception {
    var host = sandbox.hostPids().getFirst();
    var spawning = FaultyKernel.threads(host, "host-spawn");
    var before = descriptors(host);

    try (var _ = FaultyKernel.forThreads(spawning, calls, "error=" + error)) {
      for (var i = 0; i < TIMES; i++) {
        var status = Recording.of(client, client.spawn(NewTask.shell("true"))).status();
        assertThat(status.status()).isEqualTo("failed");
        assertThat(status.text()).contains(words);
      }
    }

    assertThat(exitCode("exit 3")).isEqualTo(3);
    assertThat(descriptors(host)).isLessThanOrEqualTo(before + 3);
    assertThat(sandbox.hostPids()).isEqualTo(List.of(host));
  }

  private static long descriptors(long pid) throws IOException {
    try (var open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return open.count();
    }
  }
}
