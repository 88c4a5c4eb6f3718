package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.testkit.Alone;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code errand restart} under running tasks, by the same build and by a newer one. */
@Timeout(180)
final class RestartFollowTest {
  private static final Duration RECONNECT_MAX = Duration.ofSeconds(2);

  /** Counts until its gate opens. */
  private static NewTask counter(Path gate) {
    return NewTask.shell(
        "i=0; while [ ! -e '%s' ]; do i=$((i+1)); echo $i; sleep 0.05; done".formatted(gate));
  }

  @Test
  @Alone
  void followers_go_on_within_two_seconds_and_see_the_bytes_of_the_log() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      try (var client = sandbox.client();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var gate = sandbox.folder().resolve("gate");
        var taskId = client.spawn(counter(gate));
        var bytes = new ByteArrayOutputStream();
        var pieces = new AtomicInteger();
        var following =
            threads.submit(() ->
                client.follow(
                    taskId,
                    -1,
                    (_, _, piece) -> {
                      bytes.writeBytes(piece);
                      pieces.incrementAndGet();
                    }));
        var printed = sandbox.folder().resolve("printed");
        var logs = sandbox.builder("logs", "-f", taskId.value());
        var printing = logs.redirectOutput(printed.toFile()).start();
        awaitMore(Sandbox.PATIENCE, pieces, printed);

        for (var i = 0; i < 2; i++) {
          sandbox.errand("restart").succeeded();
          awaitMore(RECONNECT_MAX, pieces, printed);
        }

        Files.createFile(gate);
        assertThat(following.get().isTerminal()).isTrue();
        assertThat(printing.waitFor(Sandbox.PATIENCE)).isTrue();
        var recording = Recording.of(client, taskId);
        assertThat(printing.exitValue()).isZero();
        assertThat(bytes.toByteArray()).isEqualTo(recording.stdout().bytes());
        assertThat(Files.readAllBytes(printed)).isEqualTo(recording.stdout().bytes());
        assertThat(recording.status().attempt()).isOne();
      }
    }
  }

  /** Until both followers have got something that they have not now. */
  private static void awaitMore(Duration bound, AtomicInteger pieces, Path printed)
      throws IOException {
    var piecesBefore = pieces.get();
    var printedBefore = Files.size(printed);
    await()
        .atMost(bound)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> pieces.get() > piecesBefore && Files.size(printed) > printedBefore);
  }

  @Test
  void a_newer_build_takes_over_and_the_old_host_stays_to_the_end_of_its_task() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      try (var client = sandbox.client()) {
        var gate = sandbox.folder().resolve("gate");
        var old = client.spawn(counter(gate));
        var oldHost = hostOf(sandbox, client, old);
        var oldPid = Long.parseLong(Files.readString(oldHost.resolve("pid")).strip());

        var newer = installNewer(sandbox);
        var restart = sandbox.builder().command(newer.resolve("run").toString(), "restart");
        sandbox.finish(restart).succeeded();

        assertThat(client.version().text("build")).isEqualTo(newer.getFileName().toString());
        var fresh = client.spawn(NewTask.shell("echo fresh"));
        assertThat(Recording.of(client, fresh).stdout().text()).isEqualTo("fresh\n");
        var freshHost = hostOf(sandbox, client, fresh);
        assertThat(freshHost).isNotEqualTo(oldHost);
        assertThat(freshHost.resolve("build")).content().contains(newer.getFileName().toString());
        assertThat(client.status(old).status()).isEqualTo("running");
        assertThat(Sandbox.isAlive(oldPid)).isTrue();

        Files.createFile(gate);
        assertThat(Recording.of(client, old).status().exitCode()).isZero();
        await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(oldPid));
        await().atMost(Sandbox.PATIENCE).until(() -> !Files.exists(oldHost));
        assertThat(freshHost).exists();
      }
    }
  }

  /** The folder of the host that the task was given to. */
  private static Path hostOf(Sandbox sandbox, ErrandClient client, TaskId taskId) {
    var attempts =
        Recording.frames(client, taskId).stream()
            .filter(it -> it.type().equals(FrameType.ATTEMPT))
            .toList();
    assertThat(attempts).hasSize(1);
    return sandbox.home().hosts().resolve(attempts.getFirst().fields().text("host_id"));
  }

  /** As the launcher would after a rebuild: the same program in a folder of another digest. */
  private static Path installNewer(Sandbox sandbox) throws IOException {
    var builds = sandbox.home().builds();
    var newer = builds.resolve("f00df00df00df00d");
    Path current;
    try (var installed = Files.list(builds)) {
      List<Path> all = installed.filter(Files::isDirectory).toList();
      assertThat(all).hasSize(1);
      current = all.getFirst();
    }
    try (var files = Files.walk(current)) {
      for (var file : files.toList()) {
        Files.copy(file, newer.resolve(current.relativize(file).toString()));
      }
    }
    Files.writeString(newer.resolve("newer"), "what makes this build another one");
    return newer;
  }
}
