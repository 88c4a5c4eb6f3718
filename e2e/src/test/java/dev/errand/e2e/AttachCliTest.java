package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code errand attach}, on a real terminal at both ends. */
@Timeout(180)
final class AttachCliTest {
  private static final String DETACH = "\u001dd";

  private static Sandbox sandbox;

  @BeforeAll
  static void start_a_daemon() throws Exception {
    sandbox = Sandbox.create();
    sandbox.up();
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    sandbox.close();
  }

  private static TaskId spawn(String line) {
    try (var client = sandbox.client()) {
      return AttachTest.spawn(client, line);
    }
  }

  private static String status(TaskId taskId) {
    try (var client = sandbox.client()) {
      return client.status(taskId).status();
    }
  }

  @Test
  void keys_go_to_the_task_and_its_detach_keys_leave_it_running() throws Exception {
    var taskId = spawn("PS1='shell> ' sh -i");
    try (var terminal = TerminalProcess.errand(sandbox, "attach", taskId.value())) {
      terminal.awaitScreen("shell>");
      terminal.type("echo sum-$((20+22)); stty size\r");
      terminal.awaitScreen("sum-42");
      terminal.awaitScreen("30 100");
      terminal.resize(40, 120);
      await().atMost(Sandbox.PATIENCE).until(() -> rows(taskId) == 40);
      terminal.type("sleep 1000\r");
      terminal.awaitScreen("sleep 1000");
      terminal.type("\u0003");
      terminal.awaitScreen("^C");
      terminal.type("stty size\r");
      terminal.awaitScreen("40 120");
      terminal.type(DETACH);
      assertThat(terminal.end()).isEqualTo(130);
      assertThat(terminal.screen()).contains("the task goes on: errand attach " + taskId);
    }
    assertThat(status(taskId)).isEqualTo("running");
  }

  private static long rows(TaskId taskId) {
    try (var client = sandbox.client()) {
      return client.status(taskId).fields().number("rows", 0);
    }
  }

  @Test
  void who_comes_back_sees_the_screen_as_it_is() throws Exception {
    var taskId = spawn("printf 'gone\\033[2J\\033[Hstill here'; cat");
    try (var client = sandbox.client()) {
      await().atMost(Sandbox.PATIENCE).until(() -> client.status(taskId).lastSeq() >= 3);
    }
    try (var terminal = TerminalProcess.errand(sandbox, "attach", taskId.value())) {
      terminal.awaitScreen("still here");
      terminal.type(DETACH);
      assertThat(terminal.end()).isEqualTo(130);
      assertThat(terminal.screen()).doesNotContain("gone");
    }
  }

  @Test
  void the_end_of_the_task_is_the_end_of_attach_with_its_code() throws Exception {
    var taskId = spawn("echo one; read _; printf '\\033[?1049h\\033[?25l'; exit 7");
    try (var terminal = TerminalProcess.errand(sandbox, "attach", taskId.value())) {
      terminal.awaitScreen("one");
      terminal.type("\r");
      assertThat(terminal.end()).isEqualTo(7);
      assertThat(terminal.screen()).contains("\033[?1049l", "\033[?25h");
    }
  }

  @Test
  void a_signal_ends_attach_and_leaves_the_terminal_as_it_was() throws Exception {
    var taskId = spawn("echo here; cat");
    try (var terminal = TerminalProcess.errand(sandbox, "attach", taskId.value())) {
      terminal.awaitScreen("here");
      assertThat(ProcessHandle.of(terminal.pidOf("attach")).orElseThrow().destroy()).isTrue();
      assertThat(terminal.end()).isEqualTo(143);
    }
    assertThat(status(taskId)).isEqualTo("running");
  }

  @Test
  void who_only_looks_types_nothing() throws Exception {
    var taskId = spawn("echo here; read x; echo got $x");
    try (var terminal = TerminalProcess.errand(sandbox, "attach", "--view", taskId.value())) {
      terminal.awaitScreen("here");
      terminal.type("word\r");
      terminal.type("\u001d?");
      terminal.awaitScreen("C-] d detaches");
      terminal.type(DETACH);
      assertThat(terminal.end()).isEqualTo(130);
    }
    try (var client = sandbox.client()) {
      assertThat(client.status(taskId).status()).isEqualTo("running");
      assertThat(client.status(taskId).fields().number("rows")).isEqualTo(24);
    }
  }

  @Test
  void run_with_a_terminal_is_attached_from_the_first_byte_and_exits_with_the_code()
      throws Exception {
    var line = "'echo first; stty size; read x; echo got $x; exit 9'";
    try (var terminal = TerminalProcess.errand(sandbox, "run", "-t", "-c", line)) {
      terminal.awaitScreen("30 100");
      terminal.type("word\r");
      assertThat(terminal.end()).isEqualTo(9);
      assertThat(terminal.screen()).startsWith("first\r\n").contains("got word");
    }
    try (var terminal =
        TerminalProcess.errand(sandbox, "run", "-t", "--detach-keys", "'C-a q'", "cat")) {
      terminal.type("echoed\r");
      terminal.awaitScreen("echoed\r\nechoed");
      terminal.type("\u0001q");
      assertThat(terminal.end()).isEqualTo(130);
      assertThat(terminal.screen()).contains("the task goes on: errand attach");
    }
  }

  @Test
  void without_a_terminal_it_says_what_to_use_instead() throws Exception {
    var terminalTask = spawn("cat");
    var refused = sandbox.errand("attach", terminalTask.value());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("needs a terminal", "errand logs -f");

    var pipesTask = sandbox.errand("spawn", "--", "sleep", "1000").line();
    try (var terminal = TerminalProcess.errand(sandbox, "attach", pipesTask)) {
      assertThat(terminal.end()).isEqualTo(3);
      assertThat(terminal.screen()).contains("has no terminal", "errand logs -f");
    }
    try (var terminal = TerminalProcess.errand(sandbox, "attach", "no-such-task")) {
      assertThat(terminal.end()).isEqualTo(5);
    }
  }
}
