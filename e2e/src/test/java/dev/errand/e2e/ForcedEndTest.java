package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How tasks are ended against their will, and what their last frame says that they took. */
@Timeout(120)
final class ForcedEndTest extends DaemonCase {
  private static final Duration GRACE = Duration.ofMillis(500);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** What a busy machine may take longer than it was told to. */
  private static final Duration SLACK = Duration.ofSeconds(15);

  private static final long MIB = 1 << 20;

  @Test
  void a_cancel_of_what_ignores_term_is_told_step_by_step_with_who_asked() {
    var stubborn = "trap '' TERM; echo ready; while :; do sleep 0.1; done";
    var taskId = client.spawn(NewTask.shell(stubborn).grace(GRACE));
    Sandbox.awaitOutput(client, taskId);

    client.cancel(taskId, "enough", null);

    var recording = Recording.of(client, taskId);
    var end = recording.terminal().fields();
    assertThat(recording.status().status()).isEqualTo("cancelled");
    assertThat(recording.status().signal()).isEqualTo("KILL");
    assertThat(recording.status().exitCode()).isEqualTo(137);
    assertThat(recording.status().by()).isEqualTo("cli");
    assertThat(end.text("step")).isEqualTo("kill");
    assertThat(end.text("killed_for")).isEqualTo("cancel");
    assertThat(end.text("by")).isEqualTo("cli");
    var requested = recording.ofType(FrameType.CANCEL_REQUESTED).getFirst();
    var cancelled = recording.ofType(FrameType.CANCELLED).getFirst();
    assertThat(List.of(requested, cancelled))
        .extracting(it -> it.fields().text("by") + ": " + it.fields().text("reason"))
        .containsOnly("cli: enough");
    var steps = recording.ofType(FrameType.KILL_STEP);
    assertThat(steps).extracting(ForcedEndTest::step).startsWith("term cancel", "kill cancel");
    checkTimes(List.of(requested, steps.getFirst(), steps.get(1), cancelled));
    assertThat(steps.get(1).timestampMs() - requested.timestampMs())
        .isGreaterThanOrEqualTo(GRACE.toMillis());
  }

  private static String step(EventFrame frame) {
    return frame.fields().text("step") + " " + frame.fields().text("cause");
  }

  private static void checkTimes(List<EventFrame> frames) {
    assertThat(frames).extracting(EventFrame::seq).isSorted();
    assertThat(frames).extracting(EventFrame::timestampMs).isSorted();
  }

  @Test
  void no_process_of_a_stubborn_tree_outlives_a_timeout() throws Exception {
    var wallPids = sandbox.folder().resolve("wall");
    var idlePids = sandbox.folder().resolve("idle");
    var wall = client.spawn(tree(wallPids).timeout(TIMEOUT));
    var idle = client.spawn(tree(idlePids).idleTimeout(TIMEOUT));

    checkAllDead(wall, "wall", wallPids);
    checkAllDead(idle, "idle", idlePids);
  }

  /** Nobody of it heeds TERM; two have left the session, one of them without a variable. */
  private static NewTask tree(Path pids) {
    return NewTask.shell(
            """
            trap '' TERM HUP
            stay='trap "" TERM HUP; echo $$ >>"$0"; while :; do sleep 0.1; done'
            setsid sh -c "$stay" '%1$s' &
            (setsid env -i sh -c "$stay" '%1$s' &)
            sh -c "$stay" '%1$s'
            """
                .formatted(pids))
        .grace(GRACE);
  }

  private static void checkAllDead(TaskId taskId, String limit, Path file) throws IOException {
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    var pids = Files.readAllLines(file).stream().map(Long::valueOf).toList();
    assertThat(pids).hasSize(3).noneMatch(Sandbox::isAlive);

    assertThat(status.status()).isEqualTo("failed");
    assertThat(status.error()).isEqualTo("timeout");
    assertThat(status.reason()).isEqualTo(limit);
    assertThat(status.signal()).isEqualTo("KILL");
    assertThat(ran(status.fields())).isBetween(TIMEOUT.plus(GRACE), TIMEOUT.plus(SLACK));
    var recording = Recording.of(client, taskId);
    assertThat(recording.terminal().fields().numbers("survivors")).isEmpty();
    assertThat(recording.ofType(FrameType.LIMIT_PASSED))
        .singleElement()
        .satisfies(it -> assertThat(it.fields().text("limit")).isEqualTo(limit))
        .satisfies(it -> assertThat(it.fields().number("value")).isEqualTo(TIMEOUT.toMillis()));
    assertThat(recording.ofType(FrameType.KILL_STEP))
        .extracting(ForcedEndTest::step)
        .containsExactly("term " + limit, "kill " + limit, "sweep " + limit);
  }

  /** By the host's clock, in milliseconds. */
  private static Duration ran(JsonFields status) {
    return Duration.ofMillis(status.number("ended_at_ms") - status.number("started_at_ms"));
  }

  @Test
  void who_is_idle_too_long_is_ended_while_the_daemon_is_dead() throws Exception {
    var taskId = client.spawn(NewTask.shell("echo once; sleep 60").idleTimeout(TIMEOUT));
    Sandbox.awaitOutput(client, taskId);
    var pid = Objects.requireNonNull(client.status(taskId).pid());

    sandbox.killDaemon();
    assertThat(Sandbox.isAlive(pid)).isTrue();
    await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
    sandbox.serve();

    var recording = Recording.of(client, taskId);
    assertThat(recording.status().reason()).isEqualTo("idle");
    assertThat(recording.status().error()).isEqualTo("timeout");
    assertThat(recording.stdout().text()).isEqualTo("once\n");
    assertThat(ran(recording.status().fields())).isBetween(TIMEOUT, TIMEOUT.plus(SLACK));
  }

  @Test
  void who_merely_holds_the_pipe_delays_the_end_by_the_drain_window_and_is_killed_or_kept() {
    var holding = "sleep 60 & echo $!; exit 5";
    var killing = client.spawn(NewTask.shell(holding));
    var keeping = client.spawn(NewTask.shell(holding).leftover("keep"));

    var killed = Recording.of(client, killing);
    var kept = Recording.of(client, keeping);

    var keptPid = checkHeld(kept, "kept");
    try {
      assertThat(Sandbox.isAlive(keptPid)).isTrue();
      assertThat(kept.terminal().fields().numbers("killed")).isEmpty();
    } finally {
      ProcessHandle.of(keptPid).ifPresent(ProcessHandle::destroyForcibly);
    }
    var killedPid = checkHeld(killed, "killed");
    assertThat(Sandbox.isAlive(killedPid)).isFalse();
    assertThat(killed.terminal().fields().numbers("killed")).containsExactly(killedPid);
    assertThat(killed.ofType(FrameType.KILL_STEP))
        .extracting(ForcedEndTest::step)
        .containsExactly("sweep leftover");
  }

  /** Returns who held the pipe. */
  private static long checkHeld(Recording recording, String leftover) {
    assertThat(recording.status().status()).isEqualTo("exited");
    assertThat(recording.status().exitCode()).isEqualTo(5);
    assertThat(recording.status().fields().bool("pipe_held", false)).isTrue();
    assertThat(recording.terminal().fields().bool("pipe_held", false)).isTrue();
    assertThat(recording.terminal().fields().text("leftover")).isEqualTo(leftover);
    var drain = Duration.ofSeconds(2);
    assertThat(ran(recording.status().fields())).isBetween(drain, drain.plus(SLACK));
    return Long.parseLong(recording.stdout().text().strip());
  }

  @Test
  void what_a_task_took_of_the_machine_is_in_its_status_and_last_frame() throws IOException {
    var folder = sandbox.folder();
    var work =
        """
        held=$(head -c 40000000 /dev/zero | tr '\\0' x)
        dd if=/dev/zero of=used bs=1M count=8 conv=fsync
        dd of=used oflag=nocache conv=notrunc,fdatasync count=0
        cat used >/dev/null
        i=0
        while [ $i -lt 200000 ]; do i=$((i+1)); done
        sleep 1.2 # Memory is looked at once a second.
        """;
    var taskId = client.spawn(NewTask.shell(work).cwd(folder.toString()));

    var recording = Recording.of(client, taskId);

    assertThat(recording.status().exitCode()).as(recording.stderr().text()).isZero();
    var usage = recording.status().fields().object("usage");
    assertThat(usage.node()).isEqualTo(recording.terminal().fields().object("usage").node());
    assertThat(usage.number("cpu_user_ms")).isPositive();
    assertThat(usage.number("cpu_ms"))
        .isEqualTo(usage.number("cpu_user_ms") + usage.number("cpu_system_ms"))
        .isGreaterThanOrEqualTo(50);
    assertThat(usage.number("max_rss_bytes")).isBetween(40_000_000L, 1_000 * MIB);
    assumeThat(Files.getFileStore(folder).type()).as("storage").isNotEqualTo("tmpfs");
    assertThat(usage.number("io_write_bytes")).isGreaterThanOrEqualTo(8 * MIB);
    assertThat(usage.number("io_read_bytes")).isGreaterThanOrEqualTo(8 * MIB);
  }
}
