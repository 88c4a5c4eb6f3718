package dev.errand.cli.command;

import static dev.errand.cli.command.CliFixture.ID;
import static dev.errand.cli.command.CliFixture.end;
import static dev.errand.cli.command.CliFixture.flood;
import static dev.errand.cli.command.CliFixture.output;
import static dev.errand.cli.command.CliFixture.status;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code errand logs} against a daemon that answers what it is told to. */
final class LogsCommandTest extends CliCase {
  private static final String OCTETS = "application/octet-stream";

  @Test
  void logs_shows_the_end_of_both_streams_in_order() {
    cli.taskWith(
        status(ID, "exited", ""),
        output(0, "stdout", "1\n2\n", 0),
        output(1, "stderr", "3\n", 0),
        output(2, "stdout", "4\nrest", 4),
        end(3, "exited"));

    assertThat(cli.run("logs", ID, "--tail", "3")).isZero();
    assertThat(cli.out()).isEqualTo("4\nrest");
    assertThat(cli.err()).isEqualTo("3\n");
  }

  @Test
  void the_end_of_a_log_that_grows_is_the_end_when_it_was_asked_for() {
    cli.taskWith(
        status(ID, "running", ",'last_seq':1"),
        output(0, "stdout", "1\n2\n", 0),
        output(1, "stdout", "3\n", 4),
        output(2, "stdout", "later\n", 6));

    assertThat(cli.run("logs", ID, "--tail", "2")).isZero();
    assertThat(cli.out()).isEqualTo("2\n3\n");
  }

  @Test
  void the_end_of_a_flood_is_found_without_reading_all_of_it() {
    cli.taskWith(
        status(ID, "exited", ",'last_seq':2"),
        output(0, "stderr", "first\n", 0),
        flood(1, "stdout", 0, 16 << 20),
        end(2, "exited"));
    var block = (16 << 20) - (256 << 10);
    cli.daemon.on(outputFrom(block), 200, OCTETS, "x".repeat((256 << 10) - 6) + "\na\nbc\n");
    cli.daemon.on(outputFrom((16 << 20) - 5), 200, OCTETS, "a\nbc\n");
    cli.daemon.on(outputFrom((16 << 20) - 4), 200, OCTETS, "\nbc\n");

    assertThat(cli.run("logs", ID, "--tail", "2")).isZero();
    assertThat(cli.run("logs", ID, "--tail-bytes", "4")).isZero();
    assertThat(cli.run("logs", ID, "--stream", "stderr")).isZero();

    assertThat(cli.out()).isEqualTo("a\nbc\n\nbc\n");
    assertThat(cli.err()).isEqualTo("first\n");
    assertThat(cli.daemon.requests()).filteredOn(it -> it.target().contains("/output")).hasSize(3);
  }

  private static String outputFrom(long offset) {
    return "GET /tasks/" + ID + "/output?stream=stdout&offset_bytes=" + offset + "&";
  }

  @Test
  void logs_by_lines_shows_them_page_by_page() {
    cli.daemon.on("GET /tasks/" + ID, status(ID, "exited", ""));
    var page = "{'task_id':'%s','stream':'stdout','lines':[%s],'first_line':1,'next_line':%d}";
    cli.daemon.on(
        "GET /tasks/" + ID + "/output?stream=stdout&line=2&lines=3",
        page.formatted(ID, "'b','c'", 4));
    cli.daemon.on(
        "GET /tasks/" + ID + "/output?stream=stdout&line=4&lines=1", page.formatted(ID, "'d'", 5));

    assertThat(cli.run("logs", ID, "--lines", "2:4")).isZero();
    assertThat(cli.out()).isEqualTo("b\nc\nd\n");
  }

  @Test
  void logs_by_search_prints_matches_as_grep_does() {
    cli.daemon.on("GET /tasks/" + ID, status(ID, "exited", ""));
    var match = "{'line':%d,'offset_bytes':0,'text':'X','cut':false,'before':[%s],'after':[%s]}";
    cli.daemon.on(
        "GET /tasks/" + ID + "/output?stream=stdout&search=X&context=1",
        ("{'task_id':'%s','stream':'stdout','matches':[%s,%s,%s],'next_line':9,"
                + "'next_offset_bytes':9,'unfinished':false}")
            .formatted(
                ID,
                match.formatted(2, "'a'", "'X'"),
                match.formatted(3, "'X'", "'b'"),
                match.formatted(8, "'c'", "'d'")));
    cli.daemon.on(
        "GET /tasks/" + ID + "/output?stream=stderr",
        "{'task_id':'x','stream':'stderr','matches':[],'next_line':1,'next_offset_bytes':0}");

    assertThat(cli.run("logs", ID, "--search", "X", "-C", "1")).isZero();
    assertThat(cli.out())
        .isEqualTo(
            """
            stdout:1-a
            stdout:2:X
            stdout:3:X
            stdout:4-b
            --
            stdout:7-c
            stdout:8:X
            stdout:9-d
            """);
  }

  @Test
  void logs_of_one_stream_counts_only_that_one() {
    cli.taskWith(
        status(ID, "exited", ""),
        output(0, "stdout", "1\n2\n", 0),
        output(1, "stderr", "3\n4\n", 0),
        end(2, "exited"));

    assertThat(cli.run("logs", ID, "--tail", "1", "--stream", "stdout")).isZero();
    assertThat(cli.run("logs", ID, "--tail-bytes", "2", "--stream", "stderr")).isZero();
    assertThat(cli.out()).isEqualTo("2\n");
    assertThat(cli.err()).isEqualTo("4\n");
  }
}
