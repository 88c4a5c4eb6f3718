package dev.errand.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line around the verbs: help, wrong words, and no daemon. */
final class CliTest extends CliCase {
  private void withoutDaemon() throws IOException {
    Files.delete(cli.home.daemonFile());
    Files.delete(cli.home.socket());
  }

  @Test
  void bare_errand_prints_a_short_help_with_every_verb() {
    assertThat(cli.run()).isZero();
    assertThat(cli.out()).contains(CliCommands.names());
    assertThat(cli.out().lines()).hasSizeLessThan(70).allMatch(it -> it.length() <= 100);
  }

  static Stream<String> names() {
    return CliCommands.names().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void every_verb_explains_itself_with_an_example(String name) {
    assertThat(cli.run(name, "--help")).isZero();
    assertThat(cli.out())
        .contains("Usage: errand " + name, "--json", "Examples:\n  ")
        .doesNotContain("%n");
    assertThat(cli.run("help", name)).isZero();
  }

  @Test
  void an_unknown_verb_is_answered_with_a_guess() {
    assertThat(cli.run("lgos")).isEqualTo(2);
    assertThat(cli.run("ps")).isEqualTo(2);
    assertThat(cli.run("frobnicate")).isEqualTo(2);
    assertThat(cli.err())
        .isEqualTo(
            """
            errand: unknown command 'lgos'; did you mean errand logs?
            errand: unknown command 'ps'; did you mean errand ls?
            errand: unknown command 'frobnicate'; see: errand help
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "run -c a b",
        "run --on-restart maybe x",
        "status",
        "status a b",
        "signal a",
        "ls extra",
        "logs a --since soon",
        "logs a --tail 1 --since 1",
        "logs a --lines 1-2",
        "logs a --lines 1:2 --search x",
        "logs a --search x -f",
        "logs a -C 2",
        "rm",
        "artifact take x",
        "artifact get xyz",
        "events --after 3",
        "replay a --speed 0",
        "wait"
      })
  void a_wrong_command_line_is_exit_code_2(String line) {
    assertThat(cli.run(line.split(" ", -1))).isEqualTo(2);
    assertThat(cli.err()).startsWith("errand: ").doesNotContain("Exception", "internal error");
  }

  @Test
  void a_wrong_command_line_is_told_as_json_too() {
    assertThat(cli.run("ls", "--json", "--frob")).isEqualTo(2);
    assertThat(cli.err()).startsWith("{\"code\":\"USAGE\"").endsWith("\"exit_code\":2}\n");
  }

  @Test
  void words_behind_the_dashes_belong_to_the_program() throws IOException {
    withoutDaemon();

    cli.run("spawn", "--", "x", "--json", "--help");

    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).startsWith("errand: ");
  }

  @Test
  void without_a_daemon_most_verbs_say_how_to_start_one() throws IOException {
    withoutDaemon();

    assertThat(cli.run("ls")).isEqualTo(4);
    assertThat(cli.err()).isEqualTo("errand: no daemon runs; start one with: errand up\n");
  }

  @Test
  void down_without_a_daemon_has_nothing_to_do() throws IOException {
    withoutDaemon();

    assertThat(cli.run("down")).isZero();
    assertThat(cli.out()).isEqualTo("no daemon runs\n");
  }

  @ParameterizedTest
  @CsvSource({
    "detach, 0, '', stopped; tasks go on",
    "drain, 9, errand: tasks have up to 9 s to end …, stopped; tasks that did not end in time go on",
    "kill, 0, '', stopped; tasks were cancelled",
  })
  void down_says_how_long_it_may_take_and_what_became_of_tasks(
      String onStop, int wait, String before, String text) throws Exception {
    var ended = new ProcessBuilder("true").start();
    ended.waitFor();
    cli.daemon
        .on("GET /version", "{'version':'0.1.0','build':'abc','pid':%d}".formatted(ended.pid()))
        .on(
            "POST /admin/shutdown",
            "{'stopping':true,'on_stop':'%s','wait_secs':%d}".formatted(onStop, wait));

    assertThat(cli.run("down")).isZero();
    assertThat(cli.out()).isEqualTo(text + "\n");
    assertThat(cli.err().strip()).isEqualTo(before);
    assertThat(cli.sent("POST /admin/shutdown")).isEqualTo("{\"all\":false}");
  }

  @Test
  void inside_a_task_no_verb_starts_a_daemon_or_stops_it_for_a_new_one() throws IOException {
    cli.environment.put("ERRAND_TASK_ID", CliFixture.ID);

    assertThat(cli.run("restart")).isEqualTo(4);
    assertThat(cli.daemon.requests()).isEmpty();
    withoutDaemon();
    assertThat(cli.run("run", "--", "x")).isEqualTo(4);
    assertThat(cli.err()).contains("a task cannot start a daemon");
  }

  @Test
  void an_output_that_nobody_reads_ends_quietly() {
    cli.outIsClosed = true;

    assertThat(cli.run("help")).isEqualTo(141);
    assertThat(cli.err()).isEmpty();
  }
}
