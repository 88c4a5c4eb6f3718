package dev.errand.e2e;

import static dev.errand.e2e.Storm.AT_ONCE;
import static dev.errand.e2e.Storm.TIMES;
import static dev.errand.e2e.Storm.often;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.testkit.Alone;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Much of the same at once: failures to start, floods of output and input; nothing leaks. */
@Alone
@Timeout(1_800)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DaemonCase.Settings("durability = \"normal\"\n")
final class StormsTest extends DaemonCase {
  /** {@code make torture} lets a command print for ten minutes; 0 is 300 MB and no longer. */
  private static final int FLOOD_SECONDS = Integer.getInteger("errand.flood_secs", 0);

  private static final long FLOOD_BYTES = 300_000_000;
  private static final int FAILURES = 1_000 * TIMES;

  /** How much longer a request may take beside a flood; it is there to find what stands still. */
  private static final int FLOODED_TIMES_MAX = 50;

  private static final int MIB = 1024 * 1024;

  /** What the heaps may take for their own reasons; a line of 100 MB does not fit into it. */
  private static final long GROWTH_MAX = 80L * MIB;

  /** {@code make torture} writes a hundred. */
  private static final int INPUT_BYTES = Integer.getInteger("errand.input_mib", 4) * MIB;

  private static final int PIECE_BYTES = 8 * 1024;

  /** No part of what a pipe holds, so that the last piece is taken in part or not at all. */
  private static final int DEAF_PIECE_BYTES = 5_000;

  private static TaskId deafId;
  private static CompletableFuture<ErrandException> deaf;

  @BeforeAll
  static void warm_up() {
    client.waitEnd(client.spawn(NewTask.shell("true")), Sandbox.PATIENCE);
    deafId = client.spawn(NewTask.shell("sleep 100000").withStdin());
    deaf =
        CompletableFuture.supplyAsync(
            StormsTest::writeToTheDeaf, it -> Thread.ofVirtual().name("deaf").start(it));
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
    var before = descriptors(host);
    prlimit(host, "--nofile=" + (before + 1) + ":");
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
    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() -> assertThat(descriptors(host)).isLessThanOrEqualTo(before + 3));
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
  void a_flood_stays_within_its_cap_is_told_once_and_keeps_nobody_waiting() throws Exception {
    var cap = 4 * MIB;
    var other = client.spawn(NewTask.shell("sleep 600"));
    var quiet = statusTime(other);
    var enough = sandbox.folder().resolve("enough");
    var flood = "until [ -e '%s' ]; do yes | head -c 20000000; done".formatted(enough);
    var taskId = client.spawn(NewTask.shell(flood).outputBytesMax(cap));
    var begun = System.nanoTime();
    var times = new ArrayList<Duration>();
    do {
      times.add(statusTime(other));
      assertThat(bytesOf(taskId)).as("bytes while it floods").isLessThan(cap + cap / 4);
    } while (client.status(taskId).bytesTotal(LogStream.STDOUT) < FLOOD_BYTES
        || System.nanoTime() - begun < FLOOD_SECONDS * 1_000_000_000L);
    Files.createFile(enough);

    var status = client.waitEnd(taskId, Sandbox.PATIENCE);

    client.cancel(other, "the flood is over", null);
    times.sort(null);
    assertThat(times.get(times.size() / 2)).isLessThan(quiet.multipliedBy(FLOODED_TIMES_MAX));
    assertThat(status.exitCode()).isZero();
    var frames = Recording.frames(client, taskId);
    assertThat(frames.size())
        .as("frames past the cap are few")
        .isLessThan(500 + 20 * (int) Duration.ofNanos(System.nanoTime() - begun).toSeconds());
    checkGaps(taskId, frames, cap);
    assertThat(bytesOf(taskId)).isLessThanOrEqualTo(cap + 256 * 1024);
  }

  /** The median of some; never as little as nothing, so that others can be compared with it. */
  private static Duration statusTime(TaskId taskId) {
    var times = new ArrayList<Long>();
    for (var i = 0; i < 9; i++) {
      var asked = System.nanoTime();
      client.status(taskId);
      times.add(System.nanoTime() - asked);
    }
    times.sort(null);
    return Duration.ofNanos(Math.max(times.get(4), 1_000_000));
  }

  /** Each dropped byte is told of once, and all of them lie between the head and the tail. */
  private static void checkGaps(TaskId taskId, List<EventFrame> frames, long cap) {
    assertThat(frames).extracting(EventFrame::type).doesNotContain(FrameType.OUTPUT_LOST);
    var log = client.status(taskId).fields().object("artifacts").object("logs").object("stdout");
    var at = cap / 2;
    for (var frame : frames) {
      if (frame.type().equals(FrameType.OUTPUT_GAP)) {
        assertThat(frame.fields().number("from")).isEqualTo(at);
        at = frame.fields().number("to");
      }
    }
    assertThat(at - cap / 2).isEqualTo(log.number("bytes_total") - log.number("bytes_stored"));
    assertThat(log.bool("truncated", false)).isTrue();
  }

  /** A segment that is dropped meanwhile counts for nothing. */
  private static long bytesOf(TaskId taskId) throws IOException {
    var id = taskId.value();
    var folder = sandbox.home().logs().resolve(id.substring(id.length() - 2)).resolve(id);
    if (Files.notExists(folder)) {
      return 0;
    }
    try (var files = Files.list(folder)) {
      return files.mapToLong(it -> it.toFile().length()).sum();
    }
  }

  @Test
  void a_line_of_100_mb_and_a_million_empty_ones_are_whole_and_take_no_memory() throws Exception {
    var daemon = sandbox.daemonPid();
    var host = sandbox.hostPids().getFirst();
    var warm = client.spawn(NewTask.shell("head -c 30000000 /dev/zero | tr '\\0' x"));
    client.waitEnd(warm, Sandbox.PATIENCE);
    var before = resident(daemon) + resident(host);
    var line = client.spawn(NewTask.shell("head -c 100000000 /dev/zero | tr '\\0' x"));
    var empty = client.spawn(NewTask.shell("yes '' | head -n 1000000"));

    var ofLine = client.waitEnd(line, Sandbox.PATIENCE);
    var ofEmpty = client.waitEnd(empty, Sandbox.PATIENCE);

    assertThat(resident(daemon) + resident(host)).isLessThan(before + GROWTH_MAX);
    assertThat(ofLine.bytesTotal(LogStream.STDOUT)).isEqualTo(100_000_000);
    assertThat(ofLine.artifactId(LogStream.STDOUT)).isEqualTo(digestOf('x', 100_000_000));
    assertThat(ofEmpty.bytesTotal(LogStream.STDOUT)).isEqualTo(1_000_000);
    assertThat(ofEmpty.artifactId(LogStream.STDOUT)).isEqualTo(digestOf('\n', 1_000_000));
    checkPreviews(line);
    checkPreviews(empty);
  }

  private static String digestOf(char content, int bytes) throws NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256");
    var piece = Character.toString(content).repeat(100_000).getBytes(UTF_8);
    for (var i = 0; i < bytes / piece.length; i++) {
      digest.update(piece);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Frames show the start of what they cover, and all of them together not much. */
  private static void checkPreviews(TaskId taskId) {
    var shown = 0L;
    for (var frame : Recording.frames(client, taskId)) {
      assertThat(frame.fields().number("chunk_bytes", 0)).isLessThanOrEqualTo(8 * 1024);
      assertThat(frame.text().length()).isLessThan(64 * 1024);
      shown += frame.text().length();
    }
    assertThat(shown).isLessThan(20L * MIB);
  }

  private static long resident(long pid) throws IOException {
    var line =
        Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(it -> it.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
  }

  @Test
  void input_of_many_pieces_arrives_whole() throws Exception {
    var digest = MessageDigest.getInstance("SHA-256");
    var random = new Random(7);
    var taskId = client.spawn(NewTask.shell("sha256sum").withStdin());
    for (var left = INPUT_BYTES; left > 0; left -= PIECE_BYTES) {
      var piece = new byte[PIECE_BYTES];
      random.nextBytes(piece);
      digest.update(piece);
      assertThat(client.stdin(taskId, piece, false)).isEqualTo(PIECE_BYTES);
    }
    client.stdin(taskId, new byte[0], true);

    var status = client.waitEnd(taskId, Sandbox.PATIENCE);

    assertThat(status.exitCode()).isZero();
    assertThat(client.tail(taskId, LogStream.STDOUT, 100).bytes())
        .asString()
        .startsWith(HexFormat.of().formatHex(digest.digest()));
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void input_that_nobody_reads_is_bounded_and_what_was_taken_of_it_is_told() throws Exception {
    var refusal = deaf.get();

    assertThat(refusal.code()).isEqualTo(ErrorCode.STDIN_FULL);
    var writes =
        Recording.frames(client, deafId).stream()
            .filter(it -> it.type().equals(FrameType.STDIN_WRITTEN))
            .map(EventFrame::fields)
            .toList();
    var last = writes.getLast();
    assertThat(writes).filteredOn(it -> it.bool("full", false)).containsExactly(last);
    assertThat(refusal.facts()).containsEntry("bytes_written", last.number("bytes"));
    assertThat(last.number("bytes")).isLessThan(DEAF_PIECE_BYTES);
    assertThat(writes.stream().mapToLong(it -> it.number("bytes")).sum())
        .as("no more than a pipe holds")
        .isBetween((long) DEAF_PIECE_BYTES, (long) MIB);
    assertThat(client.cancel(deafId, null, Sandbox.PATIENCE).status()).isEqualTo("cancelled");
  }

  /** Writes until it is refused, which takes ten seconds: it goes on beside the other tests. */
  private static ErrandException writeToTheDeaf() {
    while (true) {
      try {
        client.stdin(deafId, new byte[DEAF_PIECE_BYTES], false);
      } catch (ErrandException e) {
        return e;
      }
    }
  }

  @Test
  void input_that_is_too_large_that_is_closed_or_that_comes_too_late_is_refused() {
    var piece = new byte[PIECE_BYTES];
    var done = client.spawn(NewTask.shell("cat").withStdin());
    assertRefused(
        () -> client.stdin(done, new byte[PIECE_BYTES + 1], false), List.of(ErrorCode.TOO_LARGE));
    client.stdin(done, "all\n".getBytes(UTF_8), true);
    assertRefused(
        () -> client.stdin(done, piece, false),
        List.of(ErrorCode.STDIN_CLOSED, ErrorCode.TASK_ENDED));
    assertThat(Recording.of(client, done).stdout().text()).isEqualTo("all\n");
    assertRefused(() -> client.stdin(done, piece, false), List.of(ErrorCode.TASK_ENDED));
  }

  private static void assertRefused(ThrowingCallable call, List<ErrorCode> codes) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(ErrandException.class, it -> assertThat(it.code()).isIn(codes));
  }
}
