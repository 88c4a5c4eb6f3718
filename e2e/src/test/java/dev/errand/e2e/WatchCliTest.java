package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code errand watch} on a real terminal. */
@Timeout(180)
final class WatchCliTest extends DaemonCase {
  private static final String LEFT = "\033[?1049l";

  @Test
  void tasks_come_write_and_are_cancelled_and_attached_to_at_the_board() throws Exception {
    try (var terminal = TerminalProcess.errand(sandbox, "watch")) {
      terminal.awaitScreen("0 running");
      var id = sandbox.errand("spawn", "-n", "worker", "-c", "echo at work; sleep 1000").line();
      terminal.awaitScreen("1 running");
      terminal.awaitScreen("at work");
      terminal.resize(12, 70);
      terminal.type("c");
      terminal.awaitScreen("cancel worker and all its processes? y/n");
      terminal.type("y");
      terminal.awaitScreen("cancelled");
      await().atMost(Sandbox.PATIENCE).until(() -> status(id).equals("cancelled"));

      sandbox.errand("spawn", "-t", "-n", "shell", "-c", "echo $((6*7))-here; cat").line();
      terminal.awaitScreen("shell");
      terminal.type("fshell\r\r");
      // The board shows what the task wrote as well; only the attached terminal begins with this.
      terminal.awaitScreen("\033[!p");
      terminal.type("echoed\r");
      terminal.awaitScreen("echoed\r\nechoed");
      terminal.type("\u001dd");
      terminal.awaitScreen("detached; it goes on");
      terminal.type("q");
      assertThat(terminal.end()).isZero();
      assertThat(terminal.screen()).contains(LEFT);
    }
  }

  @Test
  void a_signal_leaves_the_terminal_as_it_was() throws Exception {
    try (var terminal = TerminalProcess.errand(sandbox, "watch")) {
      terminal.awaitScreen("running");
      assertThat(ProcessHandle.of(terminal.pidOf("watch")).orElseThrow().destroy()).isTrue();
      assertThat(terminal.end()).isEqualTo(143);
      assertThat(terminal.screen()).contains(LEFT);
    }
  }

  @Test
  void without_a_terminal_it_says_what_to_use_instead() throws Exception {
    var refused = sandbox.errand("watch");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("watch needs a terminal", "errand ls --active");
  }

  private static String status(String id) {
    try (var client = sandbox.client()) {
      return client.status(new TaskId(id)).status();
    }
  }
}
