package dev.errand.cli.command;

import static dev.errand.cli.command.CliFixture.ID;
import static dev.errand.cli.command.CliFixture.NOW_MS;
import static dev.errand.cli.command.CliFixture.OTHER;
import static dev.errand.cli.command.CliFixture.end;
import static dev.errand.cli.command.CliFixture.output;
import static dev.errand.cli.command.CliFixture.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.cli.terminal.Terminal;
import dev.errand.cli.terminal.Terminal.Kind;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each verb against a daemon that answers what it is told to. */
final class CliCommandsTest extends CliCase {
  @Test
  void run_writes_each_stream_to_its_own_and_exits_with_the_code() {
    cli.taskWith(
        status(ID, "exited", ",'exit_code':7"),
        output(0, "stdout", "out\n", 0),
        output(1, "stderr", "err\n", 0),
        end(2, "exited"));

    var code =
        cli.run(
            "run", "-n", "build", "--timeout", "90s", "--idle-timeout", "5m", "--", "make", "-k");

    assertThat(code).isEqualTo(7);
    assertThat(cli.out()).isEqualTo("out\n");
    assertThat(cli.err()).isEqualTo("err\n");
    assertThat(cli.sent("POST /tasks"))
        .contains("\"tool\":\"exec\"", "\"argv\":[\"make\",\"-k\"]", "\"label\":\"build\"")
        .contains("\"timeout_secs\":90", "\"idle_timeout_secs\":300", "\"env\":{\"PATH\":\"/bin\"}")
        .doesNotContain("stdin", "SECRET");
  }

  @Test
  void run_passes_on_what_is_piped_in_and_its_end() {
    cli.taskWith(status(ID, "exited", ",'exit_code':0"), end(0, "exited"));
    cli.daemon.on("POST /tasks/" + ID + "/stdin", "{'bytes_written':3}");
    cli.terminal = new Terminal(Kind.DATA, Kind.DATA, Kind.DATA, false);
    cli.in = "abc".getBytes(UTF_8);

    assertThat(cli.run("run", "-c", "cat")).isZero();

    assertThat(cli.sent("POST /tasks")).contains("\"command\":\"cat\"", "\"stdin\":true");
  }

  @Test
  void run_shows_control_characters_safely_on_a_terminal_only() {
    cli.taskWith(
        status(ID, "exited", ",'exit_code':0"),
        output(0, "stdout", "\u001b]0;x", 0),
        end(1, "exited"));

    cli.run("run", "--", "x");
    cli.terminal = new Terminal(Kind.TERMINAL, Kind.TERMINAL, Kind.TERMINAL, false);
    cli.run("run", "--", "x");

    assertThat(cli.out()).isEqualTo("\u001b]0;x" + "^[]0;x");
  }

  @ParameterizedTest
  @CsvSource({
    "failed, wall, 124",
    "failed, idle, 124",
    "failed, output, 125",
    "failed, lost, 125",
    "failed, not_found, 127",
    "failed, not_executable, 126",
    "cancelled, cancelled, 143"
  })
  void an_end_without_a_code_of_its_own_has_one_of_ours(String status, String reason, int code) {
    cli.taskWith(status(ID, status, ",'reason':'" + reason + "','message':'why'"), end(0, status));

    assertThat(cli.run("run", "--", "x")).isEqualTo(code);
    assertThat(cli.err()).contains("errand: task 0198f2a3-b1c2").contains("why");
  }

  @Test
  void run_tells_how_to_come_back_when_nobody_reads_its_output() {
    cli.taskWith(status(ID, "running", ""), output(0, "stdout", "out\n", 0), end(1, "exited"));
    cli.outIsClosed = true;

    assertThat(cli.run("run", "--", "yes")).isEqualTo(141);
    assertThat(cli.err()).contains("the task goes on: errand logs -f " + ID);
  }

  @Test
  void a_task_that_was_not_started_shows_what_was_in_its_way() {
    cli.daemon.on(
        "GET /tasks?",
        "["
            + status(ID, "failed", ",'error':'not_started: no such program','reason':'not_found'")
            + "]");

    cli.run("ls");

    assertThat(cli.out()).contains("failed  not_found  ");
  }

  @Test
  void run_as_json_prints_the_id_the_output_and_the_end() {
    cli.taskWith(
        status(ID, "exited", ",'exit_code':0"), output(0, "stdout", "hi\n", 0), end(1, "exited"));

    assertThat(cli.run("run", "--json", "--", "x")).isZero();

    assertThat(cli.out().lines().toList())
        .satisfiesExactly(
            it -> assertThat(it).isEqualTo("{\"type\":\"spawned\",\"task_id\":\"" + ID + "\"}"),
            it ->
                assertThat(it)
                    .contains("\"stream\":\"stdout\",\"offset\":0,\"bytes\":3,\"text\":\"hi\\n\""),
            it -> assertThat(it).startsWith("{\"type\":\"ended\",\"status\":{\"task_id\":"));
  }

  @Test
  void spawn_prints_the_id_and_nothing_else() {
    cli.taskWith(status(ID, "queued", ""));

    assertThat(cli.run("spawn", "--stdin", "-e", "A=b=c", "-e", "SECRET", "ls", "-la")).isZero();

    assertThat(cli.out()).isEqualTo(ID + "\n");
    assertThat(cli.err()).isEmpty();
    assertThat(cli.sent("POST /tasks"))
        .contains(
            "\"argv\":[\"ls\",\"-la\"]", "\"A\":\"b=c\"", "\"SECRET\":\"x\"", "\"stdin\":true");
  }

  @Test
  void a_variable_that_is_not_there_cannot_be_passed_on() {
    assertThat(cli.run("spawn", "-e", "NOPE", "ls")).isEqualTo(2);
    assertThat(cli.err()).contains("NOPE", "NAME=VALUE");
  }

  @Test
  void ls_prints_a_table_with_ids_that_differ() {
    cli.daemon.on(
        "GET /tasks?",
        "["
            + status(ID, "running", ",'label':'web','started_at_ms':" + (NOW_MS - 5_000))
            + ","
            + status(OTHER, "exited", ",'exit_code':1")
            + "]");

    assertThat(cli.run("ls", "--active", "--label", "web")).isZero();

    assertThat(cli.out())
        .isEqualTo(
            """
            ID               LABEL  STATUS   EXIT  AGE    TIME  COMMAND
            0198f2a3-b1c2-7d  web    running        1m00s  5.0s  make check
            0198f2a3-b1c2-7a         exited   1     1m00s        make check
            """
                .replace("ID               ", "ID                "));
    assertThat(cli.daemon.requests().getLast().target()).contains("active=true", "label=web");
  }

  @Test
  void a_label_finds_the_newest_live_task() {
    cli.daemon.on(
        "GET /tasks?label=web&limit=1&active=true", "[" + status(ID, "running", "") + "]");
    cli.daemon.on("GET /tasks/" + ID, status(ID, "running", ",'pid':42"));

    assertThat(cli.run("status", "web")).isZero();

    assertThat(cli.out()).contains("id        " + ID, "command   make check", "pid       42");
  }

  @Test
  void the_beginning_of_an_id_must_be_that_of_one_task_only() {
    cli.daemon.on("GET /tasks?label=", "[]");
    cli.daemon.on(
        "GET /tasks?id_prefix=0198",
        "[" + status(ID, "running", "") + "," + status(OTHER, "running", "") + "]");

    assertThat(cli.run("status", "0198")).isEqualTo(5);

    assertThat(cli.err()).contains("several task ids begin with '0198'", "0198f2a3-b1c2-7d");
  }

  @Test
  void what_is_nowhere_to_be_found_is_said_so() {
    cli.daemon.on("GET /tasks?", "[]");

    assertThat(cli.run("status", "nothing")).isEqualTo(5);
    assertThat(cli.run("status", ID, "--json")).isEqualTo(5);
    assertThat(cli.err())
        .contains("errand: there is no task 'nothing'; see: errand ls\n")
        .contains("{\"code\":\"TASK_NOT_FOUND\"", "\"exit_code\":5}");
  }

  @Test
  void replay_needs_no_pause_when_told_so() {
    cli.taskWith(
        status(ID, "exited", ""),
        output(0, "stdout", "a", 0),
        output(1, "stdout", "b", 1),
        end(2, "exited"));

    assertThat(cli.run("replay", ID, "--no-wait")).isZero();
    assertThat(cli.out()).isEqualTo("ab");
  }

  @Test
  void events_prints_the_frames_as_they_are() {
    cli.taskWith(status(ID, "exited", ""), output(0, "stdout", "a", 0), end(1, "exited"));

    assertThat(cli.run("events", ID)).isZero();
    assertThat(cli.out().lines().toList())
        .hasSize(2)
        .last()
        .isEqualTo(end(1, "exited").replace('\'', '"'));
  }

  @Test
  void json_at_a_terminal_hides_nothing_and_elsewhere_is_as_it_was() {
    var hidden = "\u009b\u202e\u200b";
    var frame = end(0, "exited").replaceFirst("\\{", "{'note':'" + hidden + "',");
    cli.taskWith(status(ID, "exited", ",'title':'" + hidden + "'"), frame);
    assertThat(cli.run("events", ID)).isZero();
    assertThat(cli.out()).contains(hidden);

    cli.terminal = new Terminal(Kind.TERMINAL, Kind.TERMINAL, Kind.TERMINAL, false);
    assertThat(cli.run("events", ID)).isZero();
    assertThat(cli.run("status", ID, "--json")).isZero();
    assertThat(cli.out().substring(cli.out().indexOf('\n')))
        .contains("\"note\":\"\\u009b\\u202e\\u200b\"")
        .contains("\"title\":\"\\u009b\\u202e\\u200b\"")
        .doesNotContain("\u009b", "\u202e", "\u200b");
  }

  @Test
  void cancel_says_what_became_of_it() {
    cli.daemon.on("POST /tasks/" + ID + "/cancel", status(ID, "running", ""));
    cli.daemon.on("POST /tasks/" + OTHER + "/cancel", status(OTHER, "exited", ",'exit_code':0"));

    assertThat(cli.run("cancel", ID, OTHER, "--reason", "slow")).isZero();
    assertThat(cli.out()).isEqualTo("0198f2a3-b1c2 is being cancelled\n0198f2a3-b1c2 exited 0\n");
    assertThat(cli.sent("POST /tasks/" + ID + "/cancel")).contains("\"reason\":\"slow\"");
  }

  @Test
  void approve_and_deny_answer_for_held_tasks() {
    cli.daemon.on("POST /tasks/" + ID + "/approve", status(ID, "queued", ""));
    cli.daemon.on("POST /tasks/" + ID + "/deny", status(ID, "failed", ",'error':'denied'"));

    assertThat(cli.run("approve", ID)).isZero();
    assertThat(cli.run("deny", ID, "--reason", "not now")).isZero();

    assertThat(cli.out()).isEqualTo("0198f2a3-b1c2 is approved\n0198f2a3-b1c2 is denied\n");
    assertThat(cli.sent("POST /tasks/" + ID + "/deny")).contains("\"reason\":\"not now\"");
  }

  @Test
  void a_held_task_says_that_it_waits_wherever_it_is_met() {
    var held =
        status(
            ID,
            "queued",
            ",'waiting_for':{'kind':'approval','text':'may it run?','until_ms':"
                + (NOW_MS + 60_000)
                + "},'policy':{'justification':'to see'}");
    cli.daemon.on("POST /tasks", "{'task_id':'" + ID + "','held':true}");
    cli.daemon.on("GET /tasks/" + ID, held);
    cli.daemon.on("GET /tasks?", "[" + held + "]");
    cli.daemon.on("POST /tasks/" + ID + "/wait", held);

    assertThat(cli.run("spawn", "--why", "to see", "ls")).isZero();
    assertThat(cli.sent("POST /tasks")).contains("\"justification\":\"to see\"");
    assertThat(cli.err()).contains("waits for approval", "errand approve " + ID);
    cli.err.reset();
    assertThat(cli.run("wait", ID, "--timeout", "1ms")).isEqualTo(124);
    assertThat(cli.err()).contains("waits for approval");
    assertThat(cli.run("ls")).isZero();
    assertThat(cli.out()).contains("queued  waits for approval");
    assertThat(cli.run("status", ID)).isZero();
    assertThat(cli.out()).contains("asks", "may it run?", "(in 1m00s)", "to see");
  }

  @Test
  void tool_lists_the_tools_and_calls_one_with_json() {
    var here = "cwd=" + URLEncoder.encode(Path.of("").toAbsolutePath().toString(), UTF_8);
    var shell = "POST /tools/shell?" + here;
    cli.daemon.on("GET /tools", "[{'name':'shell','toolset':'shell','title':'Run a command'}]");
    cli.daemon.on(shell, "{'structured':{'run_id':'r'},'text':'hi','is_error':true}");

    assertThat(cli.run("tool")).isZero();
    assertThat(cli.out()).contains("NAME", "shell", "Run a command");
    assertThat(cli.run("tool", "shell", "{\"command\":\"ls\"}", "--json")).isEqualTo(3);
    assertThat(cli.out()).endsWith("{\"run_id\":\"r\"}\n");
    assertThat(cli.sent(shell)).isEqualTo("{\"command\":\"ls\"}");
    cli.in = "{\"x\":1}".getBytes(UTF_8);
    assertThat(cli.run("tool", "shell", "-")).isEqualTo(3);
    assertThat(cli.out()).endsWith("hi\n");
    cli.daemon.on(
        "POST /tools/wc?session_id=s1&batch_id=b&" + here,
        "{'structured':{},'text':'7','is_error':false}");
    assertThat(cli.run("tool", "wc", "{}", "--session", "s1", "--batch", "b")).isZero();
    assertThat(cli.out()).endsWith("7\n");
  }

  @Test
  void send_joins_words_and_ends_the_line() {
    cli.daemon.on("POST /tasks/" + ID + "/stdin", "{'bytes_written':8}");

    assertThat(cli.run("send", ID, "print", "1", "--eof")).isZero();
    assertThat(cli.sent("POST /tasks/" + ID + "/stdin"))
        .isEqualTo("{\"chunk_b64\":\"cHJpbnQgMQo=\",\"eof\":true,\"secret\":false}");
  }

  @Test
  void send_marks_a_secret_and_takes_it_from_no_argument() {
    cli.daemon.on("POST /tasks/" + ID + "/stdin", "{'bytes_written':8}");
    cli.in = "pass\nmore".getBytes(UTF_8);

    assertThat(cli.run("send", ID, "--secret")).isZero();
    assertThat(cli.run("send", ID, "word", "--secret")).isEqualTo(2);
    assertThat(cli.sent("POST /tasks/" + ID + "/stdin"))
        .isEqualTo("{\"chunk_b64\":\"cGFzcwo=\",\"eof\":false,\"secret\":true}");
  }

  @Test
  void send_types_keys_behind_the_text() {
    cli.daemon.on("POST /tasks/" + ID + "/stdin", "{'bytes_written':8}");

    assertThat(cli.run("send", ID, "--key", "C-c", "--enter", "ls")).isZero();
    assertThat(cli.sent("POST /tasks/" + ID + "/stdin"))
        .contains(Base64.getEncoder().encodeToString("ls\u0003\r".getBytes(UTF_8)));
    assertThat(cli.run("send", ID, "--key", "Any")).isEqualTo(2);
    assertThat(cli.run("send", ID, "--key", "Up", "--stdin")).isEqualTo(2);
  }

  @Test
  void resize_takes_rows_and_columns() {
    cli.daemon.on("POST /tasks/" + ID + "/resize", status(ID, "running", ""));

    assertThat(cli.run("resize", ID, "50x132")).isZero();
    assertThat(cli.sent("POST /tasks/" + ID + "/resize")).isEqualTo("{\"rows\":50,\"cols\":132}");
    assertThat(cli.run("resize", ID, "50")).isEqualTo(2);
    assertThat(cli.run("resize", ID, "0x80")).isEqualTo(2);
  }

  @Test
  void spawn_asks_for_a_terminal_of_a_size() {
    cli.daemon.on("POST /tasks", "{'task_id':'" + ID + "'}");

    assertThat(cli.run("spawn", "-t", "--rows", "50", "--", "vim")).isZero();
    assertThat(cli.sent("POST /tasks"))
        .contains("\"execution_mode\":\"pty\"", "\"rows\":50,\"cols\":80");
    assertThat(cli.run("spawn", "--rows", "50", "--", "vim")).isEqualTo(2);
  }

  @Test
  void signal_takes_a_name_with_or_without_sig() {
    cli.daemon.on("POST /tasks/" + ID + "/signal", status(ID, "running", ""));

    assertThat(cli.run("signal", ID, "sigusr1")).isZero();
    assertThat(cli.sent("POST /tasks/" + ID + "/signal")).isEqualTo("{\"signal\":\"USR1\"}");
  }

  @Test
  void a_refusal_is_told_with_its_code_and_exit_code() {
    cli.daemon.on(
        "DELETE /tasks/" + ID,
        409,
        "application/problem+json",
        "{\"code\":\"TASK_NOT_ENDED\",\"detail\":\"cancel it first\",\"retryable\":true}");

    assertThat(cli.run("rm", ID)).isEqualTo(3);
    assertThat(cli.run("rm", ID, "--json")).isEqualTo(3);
    assertThat(cli.err())
        .isEqualTo(
            """
            errand: cancel it first
            {"code":"TASK_NOT_ENDED","message":"cancel it first","retryable":true,"exit_code":3}
            """);
  }

  @Test
  void what_a_task_wrote_into_its_status_cannot_command_the_terminal() {
    cli.daemon.on("GET /tasks/" + ID, status(ID, "running", ",'title':'\\u001b[2Jx'"));
    cli.daemon.on("GET /tasks?", "[" + status(ID, "running", ",'label':'\\u001b[2Jx'") + "]");

    cli.run("status", ID);
    cli.run("ls");

    assertThat(cli.out()).doesNotContain("\u001b").contains("^[[2Jx");
  }

  @Test
  void version_and_doctor_name_another_build_of_the_daemon() {
    cli.daemon.on("GET /version", "{'version':'0.0.9','build':'old','pid':4711}");
    var metrics =
        """
        errand_hosts_of_other_journals 1
        # TYPE errand_host_escaped gauge
        errand_host_escaped 2
        # TYPE errand_host_escaped_process gauge
        errand_host_escaped_process{pid="4712",start_ticks="99",name="sleep"} 1
        errand_host_escaped_process{pid="4713",start_ticks="100",name="a (b)"} 1
        """;
    cli.daemon.on("GET /metrics", 200, "text/plain", metrics);

    assertThat(cli.run("version")).isZero();
    cli.run("doctor");

    assertThat(cli.out())
        .contains("errand 0.1.0 (build abc)\ndaemon 0.0.9 (build old)\n")
        .contains(
            "warn  daemon      pid 4711, build old; this is build abc\n      -> errand restart")
        .contains(
            "journal     1 hosts belong to another journal; their tasks run and cannot be controlled\n")
        .contains(
            "escaped     2 running processes belong to no task: 4712 (sleep), 4713 (a (b))\n");
  }

  @Test
  void doctor_lists_processes_beside_the_tasks_and_ends_one() {
    cli.daemon.on("GET /metrics", 200, "text/plain", "");
    cli.daemon.on(
        "GET /admin/processes",
        """
        {'processes':[
          {'pid':4712,'kind':'escaped','command':'sleep 300','task_ids':['%s','%s']},
          {'pid':4713,'kind':'kept','command':'httpd','task_ids':['%s']}]}
        """
            .formatted(CliFixture.ID, CliFixture.ID, CliFixture.ID));
    cli.daemon.on("POST /admin/processes/end", "{'pid':4712,'killed':[4712,4720],'survivors':[]}");

    cli.run("doctor");
    var shortId = CliFixture.ID.substring(0, 13);
    assertThat(cli.out())
        .contains(
            "warn  escaped     they removed their marks, and may belong to any of the named tasks:\n"
                + "      4712 (sleep 300), task %s, %s\n".formatted(shortId, shortId))
        .contains(
            "ok    kept        they were kept after the end of their task:\n"
                + "      4713 (httpd), task %s\n".formatted(shortId));

    assertThat(cli.run("doctor", "--end", "4712")).isZero();
    assertThat(cli.out()).endsWith("ended: 4712, 4720\n");
  }
}
