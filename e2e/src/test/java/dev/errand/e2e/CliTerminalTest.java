package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a person sees on a terminal, and what Ctrl-C does. */
@Timeout(120)
final class CliTerminalTest {
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

  /** Runs the program on a terminal of its own. */
  private static Sandbox.Result onTerminal(String... arguments) throws Exception {
    var plain = sandbox.builder(arguments);
    var line = String.join(" ", plain.command());
    plain.environment().put("TERM", "xterm");
    plain.environment().remove("NO_COLOR");
    plain.command(List.of("script", "-qec", line, "/dev/null"));
    return sandbox.finish(plain.redirectInput(Path.of("/dev/null").toFile()));
  }

  @Test
  void control_characters_of_a_log_cannot_command_a_terminal() throws Exception {
    var exact = "\033]0;title\007 plain";
    var id = sandbox.errand("spawn", "-c", "printf '\\033]0;title\\007 plain'").line();
    sandbox.errand("wait", id).succeeded();

    assertThat(sandbox.errand("logs", id).out()).isEqualTo(exact);
    assertThat(onTerminal("logs", id).out()).contains("^[]0;title^G plain").doesNotContain("\033]");
    assertThat(onTerminal("logs", "--raw", id).out()).contains(exact);
  }

  @Test
  void a_list_has_colours_on_a_terminal_only() throws Exception {
    sandbox.errand("run", "-n", "coloured", "--", "true").succeeded();

    assertThat(onTerminal("ls").out()).contains("\033[", "coloured");
    assertThat(sandbox.errand("ls").out()).contains("coloured").doesNotContain("\033");
  }

  @Test
  void ctrl_c_in_run_detaches_and_says_how_to_come_back() throws Exception {
    var interrupted = interrupt("run", "-c", "echo going; sleep 1000");

    assertThat(interrupted.code()).isEqualTo(130);
    assertThat(interrupted.out()).isEqualTo("going\n");
    var id = interrupted.err().replaceAll("(?s).*errand logs -f ([0-9a-f-]{36}).*", "$1");
    assertThat(interrupted.err()).contains("the task goes on", "errand cancel " + id);
    try (var client = sandbox.client()) {
      assertThat(client.status(new TaskId(id)).status()).isEqualTo("running");
    }
  }

  @Test
  void ctrl_c_in_logs_detaches_as_well() throws Exception {
    var id = sandbox.errand("spawn", "-c", "echo going; sleep 1000").line();

    var interrupted = interrupt("logs", "-f", id);

    assertThat(interrupted.code()).isEqualTo(130);
    assertThat(interrupted.err()).contains("errand logs -f " + id);
    try (var client = sandbox.client()) {
      assertThat(client.status(new TaskId(id)).status()).isEqualTo("running");
    }
  }

  /** Sends SIGINT once the program has printed something. */
  private static Sandbox.Result interrupt(String... arguments) throws Exception {
    var out = Files.createTempFile(sandbox.folder(), "out", "");
    var err = Files.createTempFile(sandbox.folder(), "err", "");
    var builder = sandbox.builder(arguments);
    // Where the tests run in the background of a script, SIGINT is ignored, and that is inherited.
    var command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(builder.command());
    var process =
        builder
            .command(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    await().atMost(Sandbox.PATIENCE).until(() -> Files.size(out) > 0);
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(Sandbox.PATIENCE)).as("it ends").isTrue();
    return new Sandbox.Result(process.exitValue(), Files.readAllBytes(out), Files.readString(err));
  }
}
