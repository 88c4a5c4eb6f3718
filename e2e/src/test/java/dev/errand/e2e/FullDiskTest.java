package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The disk of the home is full: nothing new is begun, all that runs can be ended and is known. */
@Timeout(180)
final class FullDiskTest {
  private static final long RESERVE_BYTES = 8 << 20;
  private static final long FLOOR_BYTES = 32 << 20;

  private Sandbox sandbox;
  private Path disk;

  @BeforeEach
  void mount_a_small_disk() throws Exception {
    sandbox = Sandbox.create();
    disk = sandbox.home().root();
    var mounted = run("mount", "-t", "tmpfs", "-o", "size=96m,mode=700", "tmpfs", disk.toString());
    assumeTrue(mounted == 0, "the right to mount a tmpfs is missing");
  }

  @AfterEach
  void unmount() throws Exception {
    Files.deleteIfExists(disk.resolve("filler"));
    sandbox.errand("down", "--all");
    sandbox.killHosts();
    run("umount", "-l", disk.toString());
    sandbox.close();
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }

  @Test
  void spawns_are_refused_cancels_work_and_it_recovers_by_itself() throws Exception {
    sandbox.serve();
    try (var client = sandbox.client()) {
      var ticking = client.spawn(NewTask.shell("while :; do echo tick; sleep 0.05; done"));
      // The flood leaves no room for what comes behind it.
      Sandbox.awaitOutput(client, ticking);
      var flood = client.spawn(NewTask.shell("yes | head -c 100000000; sleep 1000"));

      fill();
      awaitFull(client);
      awaitGap(client, flood);

      assertThat(client.list(TaskFilter.ALL.active(true)).tasks()).hasSize(2);
      assertThat(client.cancel(flood, "full", Sandbox.PATIENCE).status()).isEqualTo("cancelled");
      assertThat(client.cancel(ticking, "full", Sandbox.PATIENCE).status()).isEqualTo("cancelled");
      assertThatThrownBy(() -> client.spawn(NewTask.shell("true")))
          .isInstanceOfSatisfying(
              ErrandException.class,
              it -> assertThat(it.code()).isEqualTo(ErrorCode.INSUFFICIENT_STORAGE))
          .hasMessageContaining("free some space");

      Files.delete(disk.resolve("filler"));
      client.remove(flood);
      checkWorks(client);
      checkTicks(client, ticking);
    }
  }

  @Test
  void below_the_floor_no_task_and_no_upload_is_accepted_and_readyz_says_so() throws Exception {
    sandbox.serve(sandbox.builder("serve", "--http", "127.0.0.1:0"));
    try (var client = sandbox.client()) {
      assertThat(client.notReady()).isEmpty();
      leaveFree(FLOOR_BYTES + (4 << 20));
      assertThat(upload(20 << 20)).as("larger than what is left above the floor").isEqualTo(503);

      assertThat(disk.toFile().getUsableSpace()).as("given back").isGreaterThan(FLOOR_BYTES);
      assertThat(Files.size(sandbox.home().reserve())).isEqualTo(RESERVE_BYTES);

      leaveFree(FLOOR_BYTES - (8 << 20));
      assertThat(client.notReady().orElseThrow()).contains("32 MiB", "free some space");
      assertThat(sandbox.get("/readyz", "").statusCode()).isEqualTo(503);
      assertThat(upload(100)).isEqualTo(503);
      assertThatThrownBy(() -> client.spawn(NewTask.shell("true")))
          .isInstanceOfSatisfying(
              ErrandException.class,
              it -> assertThat(it.code()).isEqualTo(ErrorCode.INSUFFICIENT_STORAGE));

      Files.delete(disk.resolve("filler"));
      assertThat(client.notReady()).isEmpty();
      assertThat(upload(100)).isEqualTo(201);
      checkWorks(client);
    }
  }

  private int upload(int bytes) throws IOException, InterruptedException {
    var content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return sandbox.put("/artifacts", content).statusCode();
  }

  @Test
  void up_starts_by_the_reserve_or_says_that_the_disk_is_full() throws Exception {
    sandbox.up();
    sandbox.errand("down").succeeded();
    writeAll(disk.resolve("filler"));

    var up = sandbox.errand("up").succeeded();
    assertThat(up.err()).contains("accepts no tasks now", "32 MiB");
    assertThat(sandbox.home().reserve()).doesNotExist();

    sandbox.errand("down").succeeded();
    // The last that an ending daemon deletes; it would leave free space after the filler.
    await().until(() -> isEmpty(disk.resolve("native")));
    writeAll(disk.resolve("filler"));
    up = sandbox.errand("up");
    assertThat(up.code()).isEqualTo(4);
    assertThat(up.err()).contains("the disk of " + disk + " is full", "free some space");
    // Whatever the daemon that could not start has deleted since is filled again.
    await().until(() -> isEmpty(disk.resolve("native")));
    writeAll(disk.resolve("filler"));
    assertThat(sandbox.errand("recover").err()).contains("the disk is full", "free some space");
    assertThat(sandbox.errand("doctor").out())
        .contains("0 B free")
        .doesNotContain("it cannot be read");
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private void leaveFree(long bytes) throws IOException {
    var block = new byte[64 * 1024];
    try (var out =
        Files.newOutputStream(
            disk.resolve("filler"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (disk.toFile().getUsableSpace() > bytes) {
        out.write(block);
      }
    }
  }

  /**
   * Until not a byte fits any more. If the daemon has given up its reserve before, the filler has
   * taken that as well, and leaves it to the daemon again.
   */
  private void fill() throws IOException {
    var filler = disk.resolve("filler");
    writeAll(filler);
    if (!Files.exists(sandbox.home().reserve())) {
      try (var file = FileChannel.open(filler, StandardOpenOption.WRITE)) {
        file.truncate(Math.max(0, file.size() - RESERVE_BYTES));
      }
    }
  }

  private static void writeAll(Path filler) {
    var block = new byte[64 * 1024];
    try (var out =
        Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException _) {
      // Full.
    }
  }

  /** Each spawn takes some of what room is left in files that are there already. */
  private static void awaitFull(ErrandClient client) {
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> {
          try {
            client.spawn(NewTask.shell("true"));
            return false;
          } catch (ErrandException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.INSUFFICIENT_STORAGE);
            return true;
          }
        });
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> client.list(TaskFilter.ALL.active(true)).tasks().size() <= 2);
  }

  private static void awaitGap(ErrandClient client, TaskId taskId) {
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() ->
            Recording.frames(client, taskId).stream()
                .map(EventFrame::type)
                .anyMatch(FrameType.OUTPUT_GAP::equals));
  }

  private static void checkWorks(ErrandClient client) {
    await()
        .atMost(Sandbox.PATIENCE)
        .ignoreExceptionsInstanceOf(ErrandException.class)
        .until(() -> {
          var taskId = client.spawn(NewTask.shell("echo again; exit 3"));
          var status = client.waitEnd(taskId, Sandbox.PATIENCE);
          return status.exitCode() != null && status.exitCode() == 3;
        });
  }

  /** What there was room for is there, and nothing else. */
  private static void checkTicks(ErrandClient client, TaskId taskId) {
    List<String> lines =
        new String(client.output(taskId, LogStream.STDOUT, 0, 4_000).bytes(), UTF_8)
            .lines()
            .distinct()
            .toList();
    assertThat(lines).contains("tick");
  }
}
