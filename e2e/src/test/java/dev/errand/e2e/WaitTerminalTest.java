package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.Until;
import dev.errand.wire.client.WaitResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting at real terminals: for what they show, and for programs that ask something. */
@Timeout(120)
final class WaitTerminalTest extends DaemonCase {
  private final List<TaskId> started = new ArrayList<>();

  @AfterEach
  void end_tasks() {
    started.forEach(it -> client.cancel(it, null, Duration.ofSeconds(20)));
  }

  @Test
  void a_program_that_asks_for_a_password_is_at_a_prompt() throws IOException {
    var taskId = terminal("read -s -p 'Password: ' x; echo; echo \"got $x\"; exec sleep 600");

    var held = held(client.await(taskId, Until.prompt(), Sandbox.PATIENCE));

    assertThat(held.kind()).isEqualTo("prompt");
    assertThat(held.snippet()).isEqualTo("Password: ");
    assertThat(held.fields().text("confidence")).isEqualTo(sureOfReads());
    client.stdinSecret(taskId, "open sesame\n".getBytes(UTF_8), false);
    held(client.await(taskId, Until.screen("^got open sesame$"), Sandbox.PATIENCE));
    assertThat(client.await(taskId, Until.prompt(), Duration.ofSeconds(1)).timedOut()).isTrue();
  }

  private static String sureOfReads() throws IOException {
    var call = Files.readString(Path.of("/proc/self/syscall"));
    return call.isBlank() ? "medium" : "high";
  }

  @Test
  void a_program_that_is_busy_or_sleeps_behind_such_a_text_is_at_none() {
    var busy = terminal("printf 'Working on it: '; while :; do :; done");
    var asleep = terminal("printf 'Sleeping: '; exec sleep 600");
    held(client.await(busy, Until.screen("Working"), Sandbox.PATIENCE));
    held(client.await(asleep, Until.screen("Sleeping"), Sandbox.PATIENCE));

    assertThat(client.await(busy, Until.prompt(), Duration.ofMillis(1500)).timedOut()).isTrue();
    assertThat(client.await(asleep, Until.prompt(), Duration.ofMillis(1500)).timedOut()).isTrue();
  }

  @Test
  void a_shell_is_at_its_prompt_before_a_command_and_after_it() {
    var taskId = terminal("PS1='shell$ ' exec bash --norc --noprofile -i");
    var before = held(client.await(taskId, Until.prompt(), Sandbox.PATIENCE));
    client.stdin(taskId, "sleep 1; echo d''one\n".getBytes(UTF_8), false);
    held(client.await(taskId, Until.text("done"), Sandbox.PATIENCE));

    var after = held(client.await(taskId, Until.prompt(), Sandbox.PATIENCE));

    assertThat(before.snippet()).isEqualTo("shell$ ");
    assertThat(after.snippet()).isEqualTo("shell$ ");
    assertThat(after.seq()).isGreaterThan(before.seq());
    assertThat(after.fields().text("confidence")).isIn("high", "medium");
  }

  @Test
  void a_menu_that_is_moved_through_by_single_keys_is_at_a_prompt_until_a_key_is_typed() {
    var taskId =
        terminal(
            "stty -icanon -echo; printf '\\033[?25lPick one:\\r\\n> alpha\\r\\n  beta\\r\\n'; read -n1;"
                + " stty icanon; printf 'taken'; exec sleep 600");

    var held = held(client.await(taskId, Until.prompt(), Sandbox.PATIENCE));

    assertThat(held.snippet()).isEqualTo("Pick one: > alpha   beta");
    var prompt = client.status(taskId).fields().object("prompt");
    assertThat(prompt.text("text")).isEqualTo("Pick one: > alpha   beta");
    assertThat(prompt.text("confidence")).isEqualTo(held.fields().text("confidence"));
    client.stdin(taskId, "b".getBytes(UTF_8), false);
    held(client.await(taskId, Until.text("taken"), Sandbox.PATIENCE));
    assertThat(client.status(taskId).fields().has("prompt")).isFalse();
    assertThat(client.await(taskId, Until.prompt(), Duration.ofSeconds(1)).timedOut()).isTrue();
  }

  @Test
  void a_program_that_fills_the_screen_or_waits_for_a_time_only_is_at_none() throws IOException {
    var editor = terminal("stty -icanon -echo; printf '\\033[?1049h\\033[2J~ text'; read -n1");
    var clock = terminal("stty -icanon -echo; printf '\\033[?25l12:00'; read -n1 -t 600");
    held(client.await(editor, Until.screen("text"), Sandbox.PATIENCE));
    held(client.await(clock, Until.screen("12:00"), Sandbox.PATIENCE));

    assertThat(client.await(editor, Until.prompt(), Duration.ofMillis(1500)).timedOut()).isTrue();
    assumeTrue(
        sureOfReads().equals("high"), "the kernel tells in which call another process sleeps");
    assertThat(client.await(clock, Until.prompt(), Duration.ofMillis(1500)).timedOut()).isTrue();
  }

  @Test
  void what_is_shown_is_found_where_it_stands_however_it_was_drawn() {
    var taskId =
        terminal("printf '\\033[2J\\033[5;10Hto go\\033[5;1H\\033[1mready\\033[0m   '; sleep 600");

    var held = held(client.await(taskId, Until.screen("^ready +to go$"), Sandbox.PATIENCE));

    assertThat(held.kind()).isEqualTo("screen");
    assertThat(held.fields().number("row")).isEqualTo(4);
    assertThat(held.snippet()).isEqualTo("ready    to go");
    assertThat(held.fields().number("offset"))
        .isEqualTo(client.status(taskId).bytesTotal(LogStream.PTY));
    assertThat(client.await(taskId, Until.text("ready +to go"), Duration.ofMillis(300)).timedOut())
        .isTrue();
  }

  @Test
  void the_screen_with_which_a_task_ends_counts() {
    var taskId = terminal("sleep 0.3; printf 'all done'");

    var shown = held(client.await(taskId, Until.screen("all done"), Sandbox.PATIENCE));
    var never =
        client.await(taskId, Until.any(Until.screen("x"), Until.prompt()), Sandbox.PATIENCE);

    assertThat(shown.snippet()).isEqualTo("all done");
    assertThat(never.held()).isNull();
    assertThat(never.timedOut()).isFalse();
  }

  private TaskId terminal(String line) {
    var taskId = client.spawn(NewTask.program(List.of("bash", "-c", line)).pty(24, 80));
    started.add(taskId);
    return taskId;
  }

  private static WaitResult.Held held(WaitResult awaited) {
    return Objects.requireNonNull(awaited.held(), () -> "nothing held: " + awaited.status().text());
  }
}
