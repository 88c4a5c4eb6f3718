package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks at a terminal, through the whole program. */
@Timeout(180)
final class TerminalTest extends DaemonCase {
  private static final int WRITES = 1_000;
  private static final int WRITERS = 8;
  private static final long MEBIBYTE = 1 << 20;

  @Test
  void a_thousand_writes_of_eight_writers_arrive_whole_and_in_the_order_of_their_frames()
      throws Exception {
    var taskId = client.spawn(terminal("stty -echo; echo ready; cat"));
    awaitText(taskId, "ready");
    var answers = new ConcurrentHashMap<Integer, Long>();

    writeAll(taskId, answers);
    client.keys(taskId, List.of("C-d"));

    var recording = Recording.of(client, taskId);
    var lines = recording.pty().lines();
    var read = lines.subList(lines.indexOf("ready") + 1, lines.size());
    var written =
        recording.ofType(FrameType.STDIN_WRITTEN).stream()
            .map(TerminalTest::typed)
            .filter(it -> it.startsWith("write "))
            .map(String::strip)
            .toList();
    assertThat(answers).hasSize(WRITES);
    assertThat(read).hasSize(WRITES).doesNotHaveDuplicates();
    assertThat(written).isEqualTo(read);
    noAnswerBeforeItsWrite(recording);
  }

  private static void writeAll(TaskId taskId, Map<Integer, Long> answers) throws Exception {
    var next = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new ArrayList<Future<?>>();
      for (var i = 0; i < WRITERS; i++) {
        writers.add(
            threads.submit(() -> {
              try (var own = sandbox.client()) {
                for (var n = next.getAndIncrement(); n < WRITES; n = next.getAndIncrement()) {
                  var text = "write %04d %s\n".formatted(n, "x".repeat(1 + n % 60));
                  answers.put(n, own.stdin(taskId, text.getBytes(UTF_8), false));
                }
              }
              return true;
            }));
      }
      for (var writer : writers) {
        writer.get();
      }
    }
  }

  private static String typed(EventFrame frame) {
    return new String(Base64.getDecoder().decode(frame.fields().text("chunk_b64")), UTF_8);
  }

  /** What came back of a line stands in a frame behind the one that says it was typed. */
  private static void noAnswerBeforeItsWrite(Recording recording) {
    var typedAt = new HashMap<String, Long>();
    var log = recording.pty().text();
    var unfinished = "";
    for (var frame : recording.frames()) {
      if (frame.type().equals(FrameType.STDIN_WRITTEN)) {
        typedAt.put(typed(frame).strip(), frame.seq());
      } else if (frame.type().equals(FrameType.OUTPUT_DELTA)) {
        var range = frame.fields().object("artifacts").object("log");
        var from = (int) range.number("offset_bytes");
        var text = unfinished + log.substring(from, from + (int) range.number("bytes"));
        var end = text.lastIndexOf('\n') + 1;
        unfinished = text.substring(end);
        text.substring(0, end)
            .lines()
            .filter(it -> it.startsWith("write "))
            .forEach(it -> assertThat(typedAt).as("typed before %s", frame.seq()).containsKey(it));
      }
    }
  }

  @Test
  void a_new_size_is_seen_by_the_program_and_in_the_status() {
    var taskId = client.spawn(terminal("echo ready; read; stty size; read; stty size"));
    awaitText(taskId, "ready");
    assertThat(client.status(taskId).terminal()).isEqualTo(TerminalSize.DEFAULT);

    client.keys(taskId, List.of("Enter"));
    awaitText(taskId, "24 80");
    var status = client.resize(taskId, new TerminalSize(50, 132));
    client.keys(taskId, List.of("Enter"));

    assertThat(status.terminal()).isEqualTo(new TerminalSize(50, 132));
    var recording = Recording.of(client, taskId);
    assertThat(recording.pty().text()).contains("50 132");
    assertThat(recording.status().terminal()).isEqualTo(new TerminalSize(50, 132));
    assertThat(recording.types())
        .containsSubsequence(
            FrameType.OUTPUT_DELTA,
            FrameType.STDIN_WRITTEN,
            FrameType.OUTPUT_DELTA,
            FrameType.RESIZED,
            FrameType.STDIN_WRITTEN);
  }

  @Test
  void what_has_no_terminal_cannot_be_resized() {
    var taskId = client.spawn(NewTask.program(List.of("sleep", "60")));

    assertThatThrownBy(() -> client.resize(taskId, TerminalSize.DEFAULT))
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
        .hasMessageContaining("this one has pipes");
    client.cancel(taskId, null, Duration.ofSeconds(10));
  }

  @Test
  void control_c_stops_the_program_in_front_and_not_the_shell() throws Exception {
    var taskId = client.spawn(shell());
    send(taskId, "echo rea''dy; sleep 60");
    awaitText(taskId, "ready");
    awaitInFront(taskId, "sleep");

    client.keys(taskId, List.of("C-c"));
    send(taskId, "echo still the''re");
    awaitText(taskId, "still there");
    send(taskId, "sleep 60");
    awaitInFront(taskId, "sleep");
    client.signal(taskId, "INT");
    send(taskId, "exit 3");

    var recording = Recording.of(client, taskId);
    assertThat(recording.status().exitCode()).isEqualTo(3);
    assertThat(recording.ofType(FrameType.SIGNALLED)).hasSize(1);
  }

  @Test
  void wide_characters_are_exact_in_the_log_both_ways() {
    var wide = "naïve 日本語 😀 👩‍👩‍👧 e\u0301";
    var taskId = client.spawn(terminal("stty -echo; echo ready; read line; printf '%s' \"$line\""));
    awaitText(taskId, "ready");

    client.stdin(taskId, (wide + "\n").getBytes(UTF_8), false);

    assertThat(Recording.of(client, taskId).pty().bytes())
        .isEqualTo(("ready\r\n" + wide).getBytes(UTF_8));
  }

  @Test
  void fifty_megabytes_pass_with_flat_memory() throws Exception {
    var flood = "stty -opost; yes 'all work and no play makes a dull terminal' | head -c 50000000";
    client.waitEnd(client.spawn(terminal(flood)), Duration.ofMinutes(2));
    var hostBefore = resident(sandbox.hostPids().getFirst());
    var daemonBefore = resident(sandbox.daemonPid());

    var taskId = client.spawn(terminal(flood));
    var status = client.waitEnd(taskId, Duration.ofMinutes(2));

    assertThat(status.exitCode()).isZero();
    assertThat(status.bytesTotal(LogStream.PTY)).isEqualTo(50_000_000);
    assertThat(resident(sandbox.hostPids().getFirst()) - hostBefore).isLessThan(32 * MEBIBYTE);
    assertThat(resident(sandbox.daemonPid()) - daemonBefore).isLessThan(64 * MEBIBYTE);
  }

  @Test
  void a_secret_that_was_typed_is_in_no_frame() {
    var taskId = client.spawn(terminal("stty -echo; echo ready; read line; echo ${#line}"));
    awaitText(taskId, "ready");

    client.stdinSecret(taskId, "hunter2\n".getBytes(UTF_8), false);

    var recording = Recording.of(client, taskId);
    assertThat(recording.pty().text()).endsWith("7\r\n");
    assertThat(recording.ofType(FrameType.STDIN_WRITTEN))
        .allSatisfy(it -> assertThat(it.fields().has("chunk_b64")).isFalse());
    assertThat(recording.frames()).noneMatch(it -> it.text().contains("hunter2"));
  }

  @Test
  void a_line_that_the_terminal_would_cut_is_refused_with_the_limit() {
    var taskId = client.spawn(terminal("echo ready; cat"));
    awaitText(taskId, "ready");

    assertThatThrownBy(() -> client.stdin(taskId, "x".repeat(5_000).getBytes(UTF_8), false))
        .hasMessageContaining("4095 bytes on one line");
    client.cancel(taskId, null, Duration.ofSeconds(10));
  }

  @Test
  void the_command_line_starts_types_resizes_and_shows() throws Exception {
    var id =
        sandbox
            .errand(
                "spawn",
                "-t",
                "--rows",
                "30",
                "--",
                "sh",
                "-c",
                "read a; stty size; read b; echo \"<$a$b>\"")
            .line();
    var taskId = new TaskId(id);

    sandbox.errand("resize", id, "31x99").succeeded();
    sandbox.errand("send", id, "one").succeeded();
    awaitText(taskId, "31 99");
    sandbox.errand("send", id, "--key", "t", "--key", "Backspace", "--enter", "two").succeeded();

    assertThat(Recording.of(client, taskId).pty().text()).endsWith("<onetwo>\r\n");
    var run = sandbox.errand("run", "-t", "-c", "tty; printf '\\033[1mbold'; exit 4");
    assertThat(run.code()).isEqualTo(4);
    assertThat(run.out()).startsWith("/dev/pts/").endsWith("\r\n\033[1mbold");
  }

  @Test
  void a_shell_lives_on_and_answers_after_the_daemon_was_killed() throws Exception {
    try (var own = Sandbox.create()) {
      own.serve();
      try (var first = own.client()) {
        var taskId = first.spawn(shell());
        first.stdin(taskId, "echo bef''ore; x=kept\n".getBytes(UTF_8), false);
        await().until(() -> text(first, taskId).contains("before"));

        own.killDaemon();
        own.serve();

        first.resize(taskId, new TerminalSize(10, 20));
        first.stdin(taskId, "echo $x $(stty size)\n".getBytes(UTF_8), false);
        await().atMost(Sandbox.PATIENCE).until(() -> text(first, taskId).contains("kept 10 20"));
        first.keys(taskId, List.of("C-d"));
        assertThat(Recording.of(first, taskId).status().exitCode()).isZero();
      }
    }
  }

  private static NewTask terminal(String line) {
    return NewTask.shell(line).pty(TerminalSize.DEFAULT);
  }

  private static NewTask shell() {
    return NewTask.program(List.of("bash", "--norc", "--noprofile", "-i")).pty(24, 80);
  }

  private static void send(TaskId taskId, String line) {
    client.stdin(taskId, (line + "\n").getBytes(UTF_8), false);
  }

  private static void awaitText(TaskId taskId, String text) {
    await().atMost(Sandbox.PATIENCE).until(() -> text(client, taskId).contains(text));
  }

  private static String text(ErrandClient from, TaskId taskId) {
    return new String(from.output(taskId, LogStream.PTY, 0, (int) MEBIBYTE).bytes(), UTF_8);
  }

  /** Waits until the kernel says that this program is in front at the task's terminal. */
  private static void awaitInFront(TaskId taskId, String name) {
    await()
        .atMost(Sandbox.PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> {
          var pid = client.status(taskId).pid();
          var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
          var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
          return Files.readString(Path.of("/proc/" + fields[5] + "/comm")).strip().equals(name);
        });
  }

  private static long resident(long pid) throws IOException {
    var status = Files.readString(Path.of("/proc/" + pid + "/status"));
    var at = status.indexOf("VmRSS:") + "VmRSS:".length();
    return Long.parseLong(status.substring(at, status.indexOf("kB", at)).strip()) * 1024;
  }
}
