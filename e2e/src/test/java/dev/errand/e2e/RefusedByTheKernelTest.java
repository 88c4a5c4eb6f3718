package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The machine has no processes, files or memory to give: tasks fail by name, and nothing leaks. */
@Timeout(180)
final class RefusedByTheKernelTest extends DaemonCase {
  private static final int TIMES = 20;
  private static final int ACCEPTS_FAILED = 3;

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

  @Test
  void what_outlives_a_task_is_hunted_once_the_host_can_look_for_it(@TempDir Path folder)
      throws Exception {
    var host = sandbox.hostPids().getFirst();
    var taskId = client.spawn(NewTask.shell(leavingOne(folder)));
    var orphan = pid(folder.resolve("orphan"));
    var leader = pid(folder.resolve("leader"));
    try (var _ = FaultyKernel.forProcess(host, "openat", "error=EMFILE")) {
      Files.createFile(folder.resolve("go"));
      await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(leader));
    }

    assertThat(end(taskId)).contains("\"leftover\":\"killed\"").contains("[" + orphan + "]");
    assertThat(Sandbox.isAlive(orphan)).isFalse();
  }

  @Test
  void where_the_host_cannot_look_the_end_says_that_it_does_not_know(@TempDir Path folder)
      throws Exception {
    var host = sandbox.hostPids().getFirst();
    var taskId = client.spawn(NewTask.shell(leavingOne(folder)));
    var orphan = ProcessHandle.of(pid(folder.resolve("orphan"))).orElseThrow();
    try (var _ = FaultyKernel.forProcess(host, "openat", "error=EMFILE")) {
      Files.createFile(folder.resolve("go"));

      assertThat(end(taskId)).contains("\"leftover\":\"unknown\"");
    } finally {
      orphan.destroyForcibly();
    }
  }

  @Test
  void a_host_that_can_take_no_connection_says_so_once_and_takes_it_later() throws Exception {
    var host = sandbox.hostPids().getFirst();
    var address = UnixDomainSocketAddress.of(Checkout.read(ofHost("address")).strip());
    var accepting = FaultyKernel.threads(host, "host-accept");
    try (var kernel = FaultyKernel.forThreads(accepting, "accept,accept4", "error=EMFILE");
        var _ = SocketChannel.open(address);
        var _ = SocketChannel.open(address)) {
      await().atMost(Sandbox.PATIENCE).until(() -> kernel.failures() > ACCEPTS_FAILED);
      assertThat(timesRefused()).isOne();
    }

    try (var channel = SocketChannel.open(address)) {
      channel.write(ByteBuffer.wrap("{\"id\":1,\"op\":\"stats\"}\n".getBytes(UTF_8)));
      assertThat(channel.read(ByteBuffer.allocate(100))).isPositive();
    }
  }

  private static Path ofHost(String name) {
    return Checkout.filesBelow(sandbox.home().hosts()).stream()
        .filter(it -> it.endsWith(name))
        .findFirst()
        .orElseThrow();
  }

  private static long timesRefused() {
    return Checkout.read(ofHost("host.log"))
        .lines()
        .filter(it -> it.contains("cannot accept connections"))
        .count();
  }

  /** Ends when there is a file {@code go}; what it leaves has another session and no pipe of it. */
  private static String leavingOne(Path folder) {
    return """
    cd '%s'
    echo $$ >leader
    setsid sh -c 'echo $$ >orphan.new; mv orphan.new orphan; exec sleep 1000' >/dev/null 2>&1 &
    until [ -e go ]; do sleep 0.05; done
    """
        .formatted(folder);
  }

  private static long pid(Path file) {
    await().atMost(Sandbox.PATIENCE).until(() -> Files.exists(file));
    return Long.parseLong(Checkout.read(file).strip());
  }

  private static String end(TaskId taskId) {
    return Recording.of(client, taskId).frames().getLast().text();
  }

  private static long descriptors(long pid) throws IOException {
    try (var open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return open.count();
    }
  }
}
