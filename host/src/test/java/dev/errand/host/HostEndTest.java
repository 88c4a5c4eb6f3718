package dev.errand.host;

import static dev.errand.host.TestHost.shell;
import static dev.errand.host.TestHost.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.ResourceLimits;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a host ends, and its tasks with it, by a clock that the test moves. */
@Timeout(60)
final class HostEndTest {
  private static final Duration IDLE_MAX = Duration.ofSeconds(5);
  private static final Duration ALONE_MAX = Duration.ofSeconds(5);

  /** Small, and with pauses: a task that is ended needs time of the machine as well. */
  private static final Duration STEP = Duration.ofMillis(50);

  private static final Duration PAUSE = Duration.ofMillis(10);

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  @TempDir Path root;

  @Test
  void a_host_that_nobody_needs_ends_itself() throws Exception {
    try (var host = start(null)) {
      awaitEnd(host);
    }

    assertThat(Duration.ofNanos(clock.ticks())).isGreaterThan(IDLE_MAX);
  }

  @Test
  void a_host_that_is_alone_too_long_ends_its_tasks_and_itself() throws Exception {
    try (var host = start(ALONE_MAX)) {
      try (var client =
          HostClient.connect(folder().address(), new SystemTime(), () -> {}, () -> {})) {
        value(client.hello(TestHost.JOURNAL, "build-1"));
        value(client.spawn(shell("sleep 300")));
      }

      awaitEnd(host);
    }

    assertThat(Duration.ofNanos(clock.ticks())).isGreaterThan(ALONE_MAX);
    assertNobodyIsLeft();
  }

  @Test
  void a_host_that_ends_leaves_nobody_behind_who_was_given_a_long_time() throws Exception {
    var grace = Duration.ofMinutes(10);
    var limits =
        new HostRequest.Limits(
            1 << 20,
            HostRequest.OnOutputLimit.TRUNCATE,
            null,
            null,
            grace,
            grace,
            ResourceLimits.NONE);
    var host = TestHost.start(root, clock);
    var request = shell("trap '' TERM; echo ready; sleep 300 & wait; wait; sleep 300", limits);
    host.spawn(request);
    host.await(request.id(), HostRecord.Output.class::isInstance);

    host.close();

    assertThat(Duration.ofNanos(clock.ticks())).isLessThan(grace);
    assertNobodyIsLeft();
  }

  private Host start(@Nullable Duration aloneMax) throws Exception {
    var settings =
        new Host.Settings(
            new ErrandHome(root),
            "host-1",
            TestHost.JOURNAL,
            "build-1",
            IDLE_MAX,
            aloneMax,
            Host.Settings.STDIN_TIMEOUT_DEFAULT,
            Host.Settings.SEGMENT_BYTES_MAX_DEFAULT);
    return Host.start(settings, clock);
  }

  /** Moves the clock until the host wants to live no longer. */
  private void awaitEnd(Host host) {
    var house =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                host.run();
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(PAUSE)
        .until(() -> {
          clock.advance(STEP);
          return !house.isAlive();
        });
  }

  private void assertNobodyIsLeft() throws Exception {
    List<HostRecord> records;
    try (var reader = new RecordReader(folder().records(), clock)) {
      records = reader.next(1_000);
    }
    var started = TestHost.only(records, HostRecord.Started.class).getFirst();
    assertThat(ProcFs.stat(started.pid()).filter(ProcFs.Stat::alive)).isEmpty();
    assertThat(records.getLast()).isInstanceOf(HostRecord.Exited.class);
  }

  private HostFiles folder() {
    return HostFiles.of(new ErrandHome(root), "host-1");
  }
}
