package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.OutputRange;
import dev.errand.wire.client.Until;
import dev.errand.wire.json.FrameType;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A task with more frames than its limit: what is live stays live, and the record is in order. */
@Timeout(180)
@DaemonCase.Settings(
    """
    [http]
    listen = "127.0.0.1:0"

    [policy]
    profile = "full-auto"

    [tasks]
    max_frames_per_task = 1000
    """)
final class MergedFramesTest extends DaemonCase {
  private static final int FRAMES_MAX = 1_000;

  @TempDir Path folder;

  /** Writes what is appended to a file, which makes no frame, and what is typed, which does. */
  private TaskId spawn(String more) throws Exception {
    Files.createFile(folder.resolve("lines"));
    var command = "tail -n +1 -f '" + folder.resolve("lines") + "' & exec cat";
    return WatchTest.spawn(command, "\"stdin\":true,\"session_id\":\"cli\"" + more);
  }

  private void write(String text) throws Exception {
    Files.writeString(folder.resolve("lines"), text, StandardOpenOption.APPEND);
  }

  /** Has the task pass its limit, so that its output is told once a minute. */
  private static void passLimit(TaskId taskId) {
    while (client.status(taskId).lastSeq() < FRAMES_MAX) {
      for (var i = 0; i < 50; i++) {
        client.stdin(taskId, "typed\n".getBytes(UTF_8), false);
      }
    }
  }

  private static List<EventFrame> frames(TaskId taskId) {
    var frames = new ArrayList<EventFrame>();
    try (var history = client.history(taskId, -1)) {
      for (var frame = history.next(); frame != null; frame = history.next()) {
        frames.add(frame);
      }
    }
    return frames;
  }

  /** How much of its output the frames tell of. */
  private static long told(List<EventFrame> frames) {
    return frames.stream()
        .map(OutputRange::of)
        .filter(it -> it != null)
        .mapToLong(OutputRange::end)
        .max()
        .orElse(0);
  }

  private static long total(TaskId taskId) {
    return client.output(taskId, LogStream.STDOUT, 0, 1).total();
  }

  @Test
  void what_is_live_does_not_wait_for_a_frame() throws Exception {
    var taskId = spawn("");
    passLimit(taskId);
    var seen = new ByteArrayOutputStream();
    var failed = new AtomicReference<Throwable>();
    var follower =
        Thread.ofVirtual()
            .uncaughtExceptionHandler((_, e) -> failed.set(e))
            .start(() -> client.follow(taskId, -1, (_, _, bytes) -> seen.writeBytes(bytes)));
    var frames = frames(taskId);

    write("followed\n");
    await().atMost(Sandbox.PATIENCE).until(() -> seen.toString(UTF_8).endsWith("followed\n"));
    write("awaited\n");
    assertThat(client.await(taskId, Until.text("^awaited$"), Sandbox.PATIENCE).timedOut())
        .isFalse();
    write("polled\n");
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() ->
            sandbox
                .errand("tool", "shell", "{\"action\":\"poll\",\"run_id\":\"" + taskId + "\"}")
                .out()
                .contains("\npolled\n["));

    assertThat(frames(taskId)).as("none of it has a frame yet").hasSameSizeAs(frames);
    assertThat(told(frames)).isLessThan(total(taskId));

    client.signal(taskId, "USR1");
    follower.join();
    assertThat(failed.get()).isNull();
    var all = client.output(taskId, LogStream.STDOUT, 0, 1 << 20).bytes();
    assertThat(seen.toByteArray()).as("each byte once").isEqualTo(all);
  }

  @Test
  void a_control_frame_a_hit_and_the_end_come_behind_the_output_before_them() throws Exception {
    var taskId = spawn(",\"watch\":[{\"event\":\"alarm\",\"regex\":\"ALARM\"}]");
    passLimit(taskId);

    write("an ALARM\n");
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> frames(taskId).stream().anyMatch(it -> isOf(it, FrameType.WATCHER_HIT)));
    write("more\n");
    client.await(taskId, Until.text("^more$"), Sandbox.PATIENCE);
    client.signal(taskId, "CONT");
    write("last\n");
    client.await(taskId, Until.text("^last$"), Sandbox.PATIENCE);
    client.cancel(taskId, "enough", Sandbox.PATIENCE);

    var total = total(taskId);
    var reached = 0L;
    for (var frame : frames(taskId)) {
      var range = OutputRange.of(frame);
      if (range != null) {
        assertThat(range.offset()).isEqualTo(reached);
        reached = range.end();
      }
      if (isOf(frame, FrameType.WATCHER_HIT)) {
        assertThat(reached).isEqualTo(total - "more\nlast\n".length());
      } else if (isOf(frame, FrameType.SIGNALLED)) {
        assertThat(reached).isEqualTo(total - "last\n".length());
      } else if (isOf(frame, FrameType.CANCEL_REQUESTED) || frame.isTerminal()) {
        assertThat(reached).isEqualTo(total);
      }
    }
  }

  private static boolean isOf(EventFrame frame, String type) {
    return frame.type().equals(type);
  }

  @Test
  void a_screen_and_a_client_at_the_terminal_do_not_wait_for_a_frame() throws Exception {
    var taskId = spawn(",\"execution_mode\":\"pty\"");
    passLimit(taskId);

    write("on the screen\n");

    await()
        .atMost(Sandbox.PATIENCE)
        .until(() ->
            new String(client.screen(taskId, null, "text", false), UTF_8)
                .contains("on the screen"));
    assertThat(client.await(taskId, Until.screen("on the screen"), Sandbox.PATIENCE).timedOut())
        .isFalse();
    var last = client.status(taskId).lastSeq();
    assertThat(new String(client.screen(taskId, last, "text", false), UTF_8))
        .doesNotContain("on the screen");
    client.cancel(taskId, "enough", Sandbox.PATIENCE);
  }
}
