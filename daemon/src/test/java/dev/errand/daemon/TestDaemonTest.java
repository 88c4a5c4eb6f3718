package dev.errand.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.verb.ReadTail;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fixture is the real daemon but for its hosts, and needs no surface. */
final class TestDaemonTest {
  @TempDir Path folder;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-01-02T03:04:05Z"));
  private TestDaemon daemon;

  @BeforeEach
  void open() throws IOException {
    daemon = TestDaemon.open(folder, clock, "");
  }

  @AfterEach
  void close() {
    daemon.close();
  }

  private static Ask ask() {
    return Ask.of(Caller.PERSON, null, new WaitSlots(1), _ -> {});
  }

  private TaskId spawn(String fields) throws InterruptedException {
    return daemon.spawn("{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}%s}".formatted(fields));
  }

  @Test
  void what_a_task_does_at_the_fake_host_is_read_by_the_verbs() throws InterruptedException {
    var taskId = spawn("");
    daemon.host().start(taskId);
    daemon.host().write(taskId, LogStream.STDOUT, "one\ntwo\n");
    daemon.host().exit(taskId, 3, null);

    var tail = daemon.verbs().output().tail().run(ask(), new ReadTail.Request(taskId, 100));

    assertThat(tail.text()).isEqualTo("one\ntwo\n");
    assertThat(state(taskId)).isInstanceOf(TaskState.Ended.class);
    assertThat(daemon.host().attempts()).containsExactly(1);
  }

  @Test
  void a_delayed_task_starts_when_the_clock_has_come_so_far() throws InterruptedException {
    var taskId = spawn(",\"delay_ms\":60000");
    clock.advance(Duration.ofSeconds(59));
    assertThat(state(taskId)).isInstanceOf(TaskState.Queued.class);

    clock.advance(Duration.ofSeconds(2));

    await().until(() -> state(taskId) instanceof TaskState.Claimed);
  }

  @Test
  void no_place_is_left_in_a_full_daemon() throws InterruptedException {
    daemon.fill();

    assertThat(state(spawn(""))).isInstanceOf(TaskState.Queued.class);
  }

  @Test
  void no_surface_is_open() {
    assertThat(Files.exists(folder.resolve("daemon.json"))).isFalse();
  }

  private TaskState state(TaskId taskId) {
    return daemon.engine().snapshot(taskId).state();
  }
}
