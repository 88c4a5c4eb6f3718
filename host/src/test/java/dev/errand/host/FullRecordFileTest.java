package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static dev.errand.host.TestHost.shell;
import static dev.errand.host.TestHost.shellWithStdin;
import static dev.errand.host.TestHost.typed;
import static dev.errand.host.TestHost.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.errand.core.task.ResourceLimits;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disk has no room for another record: what runs can be ended, and is on record later. */
@Timeout(120)
final class FullRecordFileTest {
  /** Far more than what is written ahead has room for. */
  private static final int WRITES = 200;

  private static final int WRITE_BYTES = 4_096;

  private static final Duration WALL = Duration.ofMinutes(10);
  private static final Duration STEP = Duration.ofMillis(50);

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  @TempDir Path disk;
  private TestHost host;

  @BeforeEach
  void start_on_a_small_disk() throws Exception {
    var mounted = run("mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", disk.toString());
    assumeTrue(mounted == 0, "the right to mount a tmpfs is missing");
    host = TestHost.start(disk, clock);
  }

  @AfterEach
  void unmount() throws Exception {
    Files.deleteIfExists(filler());
    if (host != null) {
      host.close();
    }
    run("umount", "-l", disk.toString());
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }

  private Path filler() {
    return disk.resolve("filler");
  }

  @Test
  void tasks_are_cancelled_and_time_out_and_their_records_follow() throws Exception {
    var reading = shellWithStdin("cat >/dev/null");
    var idle = shell("exec sleep 1000");
    var limited = shell("exec sleep 1000", wall(WALL));
    for (var it : new HostRequest.Spawn[] {reading, idle, limited}) {
      host.spawn(it);
    }
    fill();
    write(reading.id());

    host.cancel(idle.id());
    awaitDeath(idle.id());
    clock.advance(WALL);
    awaitDeath(limited.id());
    Files.delete(filler());

    assertThat(host.awaitExit(idle.id()).cause()).isEqualTo("cancel");
    assertThat(host.awaitExit(limited.id()).cause()).isEqualTo("wall");
    assertThat(only(host.of(reading.id()), HostRecord.Stdin.class)).hasSize(WRITES);
    assertThat(host.of(reading.id()))
        .extracting(HostRecord::n)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, WRITES + 2).boxed().toList());
  }

  @Test
  void nothing_is_started_that_could_not_be_intended_before() throws Exception {
    var reading = shellWithStdin("cat >/dev/null");
    var started = disk.resolve("started");
    host.spawn(reading);
    fill();
    write(reading.id());
    var later = shell("mkdir " + started);

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var spawned = threads.submit(() -> host.spawn(later));
      host.cancel(reading.id());
      awaitDeath(reading.id());
      assertThat(spawned).isNotDone();
      assertThat(started).doesNotExist();
      Files.delete(filler());

      pass().until(spawned::isDone);
      assertThat(spawned.get()).isTrue();
    }
    assertThat(host.awaitExit(later.id()).code()).isZero();
  }

  private static HostRequest.Limits wall(Duration wall) {
    var limits = TestHost.limits(ResourceLimits.NONE);
    return new HostRequest.Limits(
        limits.capBytes(),
        limits.onOutputLimit(),
        wall,
        null,
        limits.grace(),
        limits.drain(),
        limits.resources());
  }

  private void fill() throws IOException {
    try (var out = Files.newOutputStream(filler())) {
      while (true) {
        out.write(new byte[WRITE_BYTES]);
      }
    } catch (IOException _) {
      assertThat(Files.getFileStore(disk).getUsableSpace()).isZero();
    }
  }

  private void write(AttemptId id) throws Exception {
    for (var i = 0; i < WRITES; i++) {
      value(host.client().stdin(typed(id, "op" + i, "x".repeat(WRITE_BYTES), false)));
    }
  }

  private void awaitDeath(AttemptId id) throws Exception {
    var started = (HostRecord.Started) host.await(id, HostRecord.Started.class::isInstance);
    pass().until(() -> ProcessHandle.of(started.pid()).isEmpty());
  }

  /** Moves the clock a little at each look. */
  private ConditionFactory pass() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .conditionEvaluationListener(_ -> clock.advance(STEP));
  }
}
