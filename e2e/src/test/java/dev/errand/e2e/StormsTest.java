package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Much of the same at once: races, failures to start, floods of output; nothing leaks. */
@Timeout(1_800)
@DaemonCase.Settings("durability = \"normal\"\n")
final class StormsTest extends DaemonCase {
  /** {@code make torture} makes each of these storms ten times as long. */
  private static final int TIMES = Integer.getInteger("errand.storm_times", 1);

  /** {@code make torture} lets a command print for ten minutes; 0 is 300 MB and no longer. */
  private static final int FLOOD_SECONDS = Integer.getInteger("errand.flood_secs", 0);

  private static final String BRIEF_FLOOD = "yes | head -c 300000000";
  private static final int RACES = 200 * TIMES;
  private static final int FAILURES = 1_000 * TIMES;
  private static final int AT_ONCE = 16;
  private static final int MIB = 1024 * 1024;

  /** What the heaps may take for their own reasons; a line of 100 MB does not fit into it. */
  private static final long GROWTH_MAX = 80L * MIB;

  @BeforeAll
  static void warm_up() {
    client.waitEnd(client.spawn(NewTask.shell("true")), Sandbox.PATIENCE);
  }

  /** Runs it so often, a few at a time, and returns what came of each. */
  private static <T> List<T> often(int count, Work<T> work) throws Exception {
    var results = new ArrayList<Future<T>>();
    try (var threads =
        Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().name("storm-", 0).factory())) {
      for (var i = 0; i < count; i++) {
        var number = i;
        results.add(threads.submit(() -> work.run(number)));
      }
      return results.stream().map(StormsTest::value).toList();
    }
  }

  private interface Work<T> {
    T run(int number) throws Exception;
  }

  private static <T> T value(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_cancel_that_races_with_the_exit_has_one_end_that_is_true() throws Exception {
    var ends =
        often(
            RACES,
            number -> {
              var random = new Random(number);
              var line = "sleep 0.0%d; exit 3".formatted(random.nextInt(10, 60));
              var taskId = client.spawn(NewTask.shell(line));
              TimeUnit.MILLISECONDS.sleep(random.nextInt(0, 70));
              client.cancel(taskId, "race", null);
              return checkOneEnd(taskId);
            });

    assertThat(ends).as("both won at times").contains("cancelled", "exited");
  }

  @Test
  void a_cancel_that_races_with_the_timeout_has_one_end_that_is_true() throws Exception {
    var ends =
        often(
            RACES / 10,
            number -> {
              var random = new Random(number);
              var task = NewTask.shell("sleep 100").timeout(Duration.ofSeconds(1));
              var taskId = client.spawn(task);
              TimeUnit.MILLISECONDS.sleep(random.nextInt(950, 1_050));
              client.cancel(taskId, "race", null);
              return checkOneEnd(taskId);
            });

    assertThat(ends).containsAnyOf("cancelled", "failed");
  }

  @Test
  void a_cancel_that_races_with_the_start_leaves_no_process() throws Exception {
    var ran = Files.createFile(sandbox.folder().resolve("raced"));
    often(
        RACES,
        _ -> {
          var line = "echo $ERRAND_TASK_ID >>'%s'; sleep 100".formatted(ran);
          var taskId = client.spawn(NewTask.shell(line));
          client.cancel(taskId, "race", null);
          assertThat(checkOneEnd(taskId)).isEqualTo("cancelled");
          var pid = client.status(taskId).pid();
          assertThat(pid == null || !Sandbox.isAlive(pid)).isTrue();
          return true;
        });
    assertThat(Files.readAllLines(ran)).doesNotHaveDuplicates();
  }

  /** One terminal frame, and status, code and signal that belong together. */
  private static String checkOneEnd(TaskId taskId) {
    var status = Recording.of(client, taskId).status();
    switch (status.status()) {
      case "exited" -> assertThat(status.exitCode()).isEqualTo(3);
      case "cancelled" -> assertThat(status.isCancelRequested()).isTrue();
      case "failed" -> assertThat(status.error()).isEqualTo("timeout");
      default -> throw new AssertionError(status.text());
    }
    return status.status();
  }

  @Test
  void programs_that_cannot_start_leak_no_descriptor() throws Exception {
    var daemon = sandbox.daemonPid();
    var host = sandbox.hostPids().getFirst();
    often(AT_ONCE, _ -> failToStart());
    var before = descriptors(daemon) + descriptors(host);

    often(FAILURES, _ -> failToStart());

    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(
            () -> assertThat(descriptors(daemon) + descriptors(host)).isLessThan(before + 30));
  }

  private static boolean failToStart() {
    var taskId = client.spawn(NewTask.program(List.of("/no/such/program")));
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.reason()).isEqualTo("not_found");
    return true;
  }

  @Test
  void a_host_without_descriptors_fails_tasks_by_name_and_works_again_when_it_has_some()
      throws Exception {
    var host = sandbox.hostPids().getFirst();
    prlimit(host, "--nofile=" + (descriptors(host) + 1) + ":");
    try {
      for (var i = 0; i < 50; i++) {
        var taskId = client.spawn(NewTask.shell("echo never"));
        var status = client.waitEnd(taskId, Sandbox.PATIENCE);
        assertThat(status.status()).isEqualTo("failed");
        assertThat(status.reason()).isEqualTo("limit");
        assertThat(status.message()).containsAnyOf("open files", "descriptors");
      }
    } finally {
      prlimit(host, "--nofile=4096:");
    }

    var recording = Recording.of(client, client.spawn(NewTask.shell("echo again")));
    assertThat(recording.stdout().text()).isEqualTo("again\n");
  }

  private static void prlimit(long pid, String limit) throws IOException, InterruptedException {
    var prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), limit).start();
    assertThat(prlimit.waitFor()).isZero();
  }

  private static int descriptors(long pid) throws IOException {
    try (var files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return (int) files.count();
    }
  }

  @Test
  void a_flood_stays_within_its_cap_and_is_told_once() throws Exception {
    var cap = 4 * MIB;
    var flood = FLOOD_SECONDS > 0 ? "timeout %d yes; true".formatted(FLOOD_SECONDS) : BRIEF_FLOOD;
    var taskId = client.spawn(NewTask.shell(flood).outputBytesMax(cap));

    var status = client.waitEnd(taskId, Sandbox.PATIENCE.plusSeconds(FLOOD_SECONDS));

    assertThat(status.exitCode()).isZero();
    assertThat(status.bytesTotal(LogStream.STDOUT)).isGreaterThanOrEqualTo(300_000_000);
    var frames = Recording.frames(client, taskId);
    assertThat(frames.size())
        .as("frames past the cap are few")
        .isLessThan(500 + 20 * FLOOD_SECONDS);
    assertThat(frames)
        .extracting(EventFrame::type)
        .contains(FrameType.OUTPUT_GAP)
        .doesNotContain(FrameType.OUTPUT_LOST);
    assertThat(bytesOf(taskId)).isLessThanOrEqualTo(cap + 256 * 1024);
  }

  private static long bytesOf(TaskId taskId) {
    return Checkout.filesBelow(sandbox.home().logs()).stream()
        .filter(it -> it.toString().contains(taskId.value()))
        .mapToLong(it -> it.toFile().length())
        .sum();
  }

  @Test
  void a_line_of_100_mb_and_a_million_empty_ones_take_no_memory() throws Exception {
    var daemon = sandbox.daemonPid();
    var host = sandbox.hostPids().getFirst();
    var warm = client.spawn(NewTask.shell("head -c 30000000 /dev/zero | tr '\\0' x"));
    client.waitEnd(warm, Sandbox.PATIENCE);
    var before = resident(daemon) + resident(host);
    var line = client.spawn(NewTask.shell("head -c 100000000 /dev/zero | tr '\\0' x"));
    var empty = client.spawn(NewTask.shell("yes '' | head -n 1000000"));

    assertThat(client.waitEnd(line, Sandbox.PATIENCE).bytesTotal(LogStream.STDOUT))
        .isEqualTo(100_000_000);
    assertThat(client.waitEnd(empty, Sandbox.PATIENCE).bytesTotal(LogStream.STDOUT))
        .isEqualTo(1_000_000);

    assertThat(resident(daemon) + resident(host)).isLessThan(before + GROWTH_MAX);
    assertThat(client.tail(line, LogStream.STDOUT, 10).bytes()).asString().isEqualTo("xxxxxxxxxx");
  }

  private static long resident(long pid) throws IOException {
    var line =
        Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(it -> it.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
  }

  /** The wait of ten seconds that the first part needs is for the long form alone. */
  @Test
  void input_that_nobody_reads_that_is_closed_or_that_comes_too_late_is_refused() {
    var piece = new byte[8 * 1024];
    if (TIMES > 1) {
      checkDeaf(piece);
    }
    var done = client.spawn(NewTask.shell("cat").withStdin());
    client.stdin(done, "all\n".getBytes(UTF_8), true);
    assertThatThrownBy(() -> client.stdin(done, piece, false))
        .isInstanceOfSatisfying(
            ErrandException.class,
            it -> assertThat(it.code()).isIn(ErrorCode.STDIN_CLOSED, ErrorCode.TASK_ENDED));
    assertThat(Recording.of(client, done).stdout().text()).isEqualTo("all\n");
    assertThatThrownBy(() -> client.stdin(done, piece, false))
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.TASK_ENDED));
  }

  private static void checkDeaf(byte[] piece) {
    var deaf = client.spawn(NewTask.shell("sleep 100").withStdin());
    assertThatThrownBy(
            () -> {
              for (var i = 0; i < 1_000; i++) {
                client.stdin(deaf, piece, false);
              }
            })
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.STDIN_FULL));
    assertThatThrownBy(() -> client.stdin(deaf, new byte[8 * MIB / 16], false))
        .isInstanceOfSatisfying(
            ErrandException.class,
            it ->
                assertThat(it.code())
                    .isIn(ErrorCode.INVALID_REQUEST, ErrorCode.TOO_LARGE, ErrorCode.STDIN_FULL));
    assertThat(client.cancel(deaf, null, Sandbox.PATIENCE).status()).isEqualTo("cancelled");
  }
}
