package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskScreen;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real programs, driven by keys and read from the screen. */
@Timeout(180)
final class ScreenTest extends DaemonCase {
  private static final TerminalSize SIZE = new TerminalSize(12, 50);

  private static Path text;

  @BeforeAll
  static void write_a_text() throws Exception {
    var lines = IntStream.rangeClosed(1, 60).mapToObj(it -> "line " + it + ": Grüße 漢字").toList();
    text = Files.write(sandbox.folder().resolve("text"), lines);
  }

  private static TaskId spawn(ErrandClient client, String... command) {
    var isThere =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(it -> Files.isExecutable(Path.of(it, command[0])));
    assumeTrue(isThere, command[0] + " is missing; make check-tools installs it");
    var task = NewTask.program(List.of(command)).env("LC_ALL", "C.UTF-8").env("LESS", "").pty(SIZE);
    return client.spawn(task);
  }

  private static TaskScreen awaitScreen(
      ErrandClient client, TaskId taskId, Predicate<TaskScreen> wanted) {
    var last = new ArrayList<TaskScreen>();
    return await()
        .atMost(Sandbox.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .conditionEvaluationListener(it -> {
          if (it.getRemainingTimeInMS() <= 0 && !last.isEmpty()) {
            throw new AssertionError("the screen stayed: " + last.getLast().text());
          }
        })
        .until(
            () -> {
              last.clear();
              last.add(client.screen(taskId, null));
              return last.getLast();
            },
            wanted);
  }

  private static TaskScreen awaitLine(ErrandClient client, TaskId taskId, int row, String start) {
    return awaitScreen(client, taskId, it -> it.lines().get(row).startsWith(start));
  }

  @Test
  void an_editor_is_driven_by_keys() throws Exception {
    var file = Files.copy(text, sandbox.folder().resolve("edited"));
    try (var client = sandbox.client()) {
      var taskId = spawn(client, "vim", "-u", "NONE", "-N", file.toString());
      var opened = awaitLine(client, taskId, 10, "line 11:");
      assertThat(opened.alternate()).isTrue();
      assertThat(opened.lines().getFirst()).isEqualTo("line 1: Grüße 漢字");

      client.keys(taskId, List.of("3", "G", "o"));
      awaitLine(client, taskId, 11, "-- INSERT --");
      client.stdin(taskId, "äöü 漢字 new".getBytes(StandardCharsets.UTF_8), false);
      var typed = awaitLine(client, taskId, 3, "äöü 漢字 new");
      assertThat(typed.cursorRow()).isEqualTo(3);
      assertThat(typed.cursorCol()).isEqualTo(12);

      client.keys(taskId, List.of("Escape", ":", "x", "Enter"));
      assertThat(client.waitEnd(taskId, Sandbox.PATIENCE).exitCode()).isZero();
      assertThat(Files.readAllLines(file)).hasSize(61).contains("äöü 漢字 new");
      assertThat(client.screen(taskId, null).alternate()).isFalse();
      assertThat(client.screen(taskId, typed.seq()).lines()).isEqualTo(typed.lines());
    }
  }

  @Test
  void a_pager_shows_its_pages_in_any_size() {
    try (var client = sandbox.client()) {
      var taskId = spawn(client, "less", text.toString());
      awaitLine(client, taskId, 10, "line 11:");

      client.keys(taskId, List.of("Space"));
      awaitLine(client, taskId, 0, "line 12:");
      client.resize(taskId, new TerminalSize(6, 40));
      client.keys(taskId, List.of("g"));
      var small =
          awaitScreen(
              client, taskId, it -> it.rows() == 6 && it.lines().get(4).startsWith("line 5:"));
      assertThat(small.cols()).isEqualTo(40);
      client.keys(taskId, List.of("/", "l", "i", "n", "e", "Space", "3", "3", "Enter"));
      awaitLine(client, taskId, 0, "line 33:");

      client.keys(taskId, List.of("q"));
      assertThat(client.waitEnd(taskId, Sandbox.PATIENCE).exitCode()).isZero();
    }
  }

  @Test
  void a_monitor_draws_again_and_again() {
    try (var client = sandbox.client()) {
      var taskId = spawn(client, "top", "-d", "0.2");
      var first = awaitLine(client, taskId, 0, "top - ");
      assertThat(first.lines().get(1)).startsWith("Tasks:");
      awaitScreen(client, taskId, it -> it.offset() > first.offset() + 2_000);
      awaitLine(client, taskId, 0, "top - ");

      client.keys(taskId, List.of("q"));
      assertThat(client.waitEnd(taskId, Sandbox.PATIENCE).isEnded()).isTrue();
    }
  }

  @Test
  void the_screen_is_the_same_after_the_daemon_was_killed() throws Exception {
    try (var client = sandbox.client()) {
      var taskId = spawn(client, "less", text.toString());
      var before = awaitLine(client, taskId, 10, "line 11:");
      var drawn = client.screen(taskId, null, "ansi", false);

      sandbox.killDaemon();
      sandbox.serve();

      assertThat(client.screen(taskId, null).lines()).isEqualTo(before.lines());
      assertThat(client.screen(taskId, null, "ansi", false)).isEqualTo(drawn);
      client.keys(taskId, List.of("Space"));
      awaitLine(client, taskId, 0, "line 12:");
      assertThat(client.screen(taskId, before.seq()).lines()).isEqualTo(before.lines());
      client.cancel(taskId, null, Sandbox.PATIENCE);
    }
  }

  @Test
  void an_exported_recording_is_played_by_asciinema() throws Exception {
    try (var client = sandbox.client()) {
      var taskId =
          spawn(
              client,
              "bash",
              "-c",
              "printf '\\033[31mone\\033[m 漢字\\r\\ntwo'; sleep 0.3; echo -n ' three'");
      client.waitEnd(taskId, Sandbox.PATIENCE);
      var cast = sandbox.folder().resolve("one.cast");
      sandbox
          .errand("export", taskId.value(), "--format", "asciicast", "-o", cast.toString())
          .succeeded();

      var player = spawn(client, "asciinema", "cat", cast.toString());
      assertThat(client.waitEnd(player, Sandbox.PATIENCE).exitCode()).isZero();

      assertThat(client.screen(player, null).lines())
          .startsWith("one 漢字", "two three")
          .isEqualTo(client.screen(taskId, null).lines());
      var played = spawn(client, "asciinema", "play", "-s", "10", cast.toString());
      assertThat(client.waitEnd(played, Sandbox.PATIENCE).exitCode()).isZero();
      assertThat(client.screen(played, null).lines()).startsWith("one 漢字", "two three");
    }
  }

  @Test
  void a_replay_shows_what_was_seen_and_runs_nothing() throws Exception {
    var mark = sandbox.folder().resolve("mark");
    try (var client = sandbox.client()) {
      var taskId =
          spawn(client, "bash", "-c", "echo x >> '" + mark + "'; echo seen; sleep 0.2; echo again");
      client.waitEnd(taskId, Sandbox.PATIENCE);

      assertThat(sandbox.errand("replay", taskId.value(), "--no-wait").succeeded().out())
          .isEqualTo("seen\r\nagain\r\n");
      assertThat(sandbox.errand("screen", taskId.value()).succeeded().out())
          .startsWith("seen\nagain\n\n");
      assertThat(Files.readAllLines(mark)).hasSize(1);
    }
  }
}
