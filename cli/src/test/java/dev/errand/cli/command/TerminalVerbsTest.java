package dev.errand.cli.command;

import static dev.errand.cli.command.CliFixture.ID;
import static dev.errand.cli.command.CliFixture.NOW_MS;
import static dev.errand.cli.command.CliFixture.end;
import static dev.errand.cli.command.CliFixture.output;
import static dev.errand.cli.command.CliFixture.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs that look at a terminal and play its record. */
final class TerminalVerbsTest extends CliCase {
  private static final Terminal ON_TERMINAL =
      new Terminal(Terminal.Kind.TERMINAL, Terminal.Kind.TERMINAL, Terminal.Kind.TERMINAL, false);

  private static final String SCREEN =
      """
      {'task_id':'%s','seq':7,'offset_bytes':5,'rows':2,'cols':6,\
      'cursor':{'row':0,'col':3,'visible':true},'title':'t','alternate':false,\
      'approximate':false,'lines':['one','']}\
      """
          .formatted(ID);

  @TempDir Path folder;

  @BeforeEach
  void answer() {
    cli.daemon.on("GET /tasks/" + ID, status(ID, "exited", ",'execution_mode':'pty'"));
    cli.daemon.on("GET /tasks/" + ID + "/screen", SCREEN);
    cli.daemon.on("GET /tasks/" + ID + "/screen?format=text", 200, "text/plain", "one\n\n");
  }

  private static String spawned() {
    return """
    {'seq':0,'timestamp_ms':%d,'type':'tool_task_spawned','task_id':'%s','rows':24,'cols':80,\
    'title':'my vim'}\
    """
        .formatted(NOW_MS, ID);
  }

  private static String resized(int seq) {
    return """
    {'seq':%d,'timestamp_ms':%d,'type':'tool_task_resized','task_id':'%s','rows':30,'cols':100}\
    """
        .formatted(seq, NOW_MS + seq * 1_000L, ID);
  }

  private static String ended(int seq) {
    return end(seq, "exited").replace("}", ",'exit_code':3}");
  }

  @Test
  void screen_prints_its_lines() {
    assertThat(cli.run("screen", ID)).isZero();
    assertThat(cli.out()).isEqualTo("one\n\n");
  }

  @Test
  void screen_has_a_frame_on_a_terminal_only() {
    cli.terminal = ON_TERMINAL;

    assertThat(cli.run("screen", ID)).isZero();
    assertThat(cli.out()).isEqualTo("──────\none\n\n──────\n");
  }

  @Test
  void screen_can_be_of_an_earlier_moment() {
    cli.daemon.on("GET /tasks/" + ID + "/screen?at_seq=5", SCREEN);

    assertThat(cli.run("screen", ID, "--at", "5", "--json")).isZero();
    assertThat(cli.out()).isEqualTo(SCREEN.replace('\'', '"') + "\n");
  }

  @Test
  void a_cast_has_a_header_and_an_event_for_all_that_is_seen() {
    cli.daemon.frames(
        ID,
        List.of(
            spawned(), output(1, "pty", "a", 0), resized(2), output(3, "pty", "ü", 1), ended(4)));

    assertThat(cli.run("export", ID, "--format", "asciicast")).isZero();
    assertThat(cli.out().lines())
        .containsExactly(
            """
            {"version":2,"width":80,"height":24,"timestamp":1800000001,"title":"my vim",\
            "env":{"TERM":"xterm-256color"}}\
            """,
            "[0.000, \"o\", \"a\"]",
            "[1.000, \"r\", \"100x30\"]",
            "[2.000, \"o\", \"ü\"]");
  }

  @Test
  void a_cast_of_the_third_version_counts_from_event_to_event() {
    cli.daemon.frames(
        ID,
        List.of(
            spawned(), output(1, "pty", "a", 0), resized(2), output(3, "pty", "b", 1), ended(4)));

    assertThat(cli.run("export", ID, "--format", "asciicast-v3")).isZero();
    assertThat(cli.out().lines())
        .containsExactly(
            """
            {"version":3,"term":{"cols":80,"rows":24,"type":"xterm-256color"},\
            "timestamp":1800000001,"title":"my vim","env":{"TERM":"xterm-256color"}}\
            """,
            "[0.000, \"o\", \"a\"]",
            "[1.000, \"r\", \"100x30\"]",
            "[1.000, \"o\", \"b\"]",
            "[1.000, \"x\", \"3\"]");
  }

  @Test
  void an_export_can_go_to_a_file() throws IOException {
    cli.daemon.frames(ID, List.of(spawned(), ended(1)));
    var file = folder.resolve("frames.jsonl");

    assertThat(cli.run("export", ID, "--format", "jsonl", "-o", file.toString())).isZero();
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(cli.out()).isEmpty();
  }

  @Test
  void pipes_are_exported_as_text_without_control_sequences_and_not_as_a_cast() {
    cli.daemon.on("GET /tasks/" + ID, status(ID, "exited", ",'execution_mode':'pipes'"));
    cli.daemon.frames(
        ID, List.of(spawned(), output(1, "stdout", "\u001b[31mred\u001b[0m\n", 0), ended(2)));

    assertThat(cli.run("export", ID, "--format", "text")).isZero();
    assertThat(cli.out()).isEqualTo("red\n");
    assertThat(cli.run("export", ID, "--format", "asciicast")).isNotZero();
    assertThat(cli.err()).contains("the task has no terminal");
    assertThat(cli.run("export", ID)).isNotZero();
  }

  @Test
  void an_export_to_a_terminal_has_nothing_that_commands_it() {
    cli.terminal = ON_TERMINAL;
    cli.daemon.on("GET /tasks/" + ID, status(ID, "exited", ",'execution_mode':'pipes'"));
    cli.daemon.frames(
        ID, List.of(spawned(), output(1, "stdout", "a\u009b2J\u202eb\n", 0), ended(2)));

    assertThat(cli.run("export", ID, "--format", "text")).isZero();
    assertThat(cli.run("export", ID, "--format", "jsonl")).isZero();

    assertThat(cli.out())
        .startsWith("a<U+009B>2J<U+202E>b\n")
        .contains("a\\u009b2J\\u202eb")
        .doesNotContain("\u009b", "\u202e");
  }

  @Test
  void replay_plays_the_exact_bytes_and_puts_the_terminal_in_order() {
    cli.terminal = ON_TERMINAL;
    cli.daemon.frames(ID, List.of(spawned(), output(1, "pty", "\u001b[7mx", 0), ended(2)));

    assertThat(cli.run("replay", ID, "--no-wait")).isZero();
    assertThat(cli.out()).startsWith("\u001b[7mx\u001b[?1049l").endsWith("\r\n");
  }

  @Test
  void replay_to_a_file_is_the_record_alone() {
    cli.daemon.frames(ID, List.of(spawned(), output(1, "pty", "\u001b[7mx", 0), ended(2)));

    assertThat(cli.run("replay", ID, "--no-wait")).isZero();
    assertThat(cli.out()).isEqualTo("\u001b[7mx");
  }

  @Test
  void replay_can_begin_with_the_screen_of_a_frame() {
    cli.terminal = ON_TERMINAL;
    cli.daemon.on("GET /tasks/" + ID + "/screen?at_seq=5", SCREEN);
    cli.daemon.on(
        "GET /tasks/" + ID + "/screen?at_seq=5&format=ansi", 200, "text/plain", "<drawn>");
    var frames = new ArrayList<>(List.of(spawned()));
    for (var seq = 1; seq <= 5; seq++) {
      frames.add(output(seq, "pty", "x", seq - 1));
    }
    frames.add(output(6, "pty", "more", 5));
    frames.add(ended(7));
    cli.daemon.frames(ID, frames);

    assertThat(cli.run("replay", ID, "--no-wait", "--at", "5")).isZero();
    assertThat(cli.out()).startsWith("<drawn>more\u001b[?1049l");
  }

  @Test
  void a_replay_asks_the_terminal_nothing() {
    var text =
        "a^[31mb^[6nc^[cd^[>ce^]11;?%f^]52;c;eA==%g^]0;title%h^Pq^\\i^[?1049hj^[?1$pk^[18tl^Zm";
    var bytes = text.replace('^', '\u001b').replace('%', '\u0007').getBytes(UTF_8);
    var filter = new QueryFilter();
    var out = new ByteArrayOutputStream();
    for (var one : bytes) {
      out.writeBytes(filter.next(new byte[] {one}));
    }

    assertThat(out.toString(UTF_8))
        .isEqualTo("a\u001b[31mbcdefg\u001b]0;title\u0007hi\u001b[?1049hjklm");
  }

  @Test
  void a_question_is_found_also_where_something_unfinished_stands_before_it() {
    var text = "a^]0;t^[6nb^]0;t^\n[6nc^[1^[6nd^[6\nne^\n[6nf^[>\n qg";
    var bytes = text.replace('^', '\u001b').getBytes(UTF_8);

    assertThat(new String(new QueryFilter().next(bytes), UTF_8)).isEqualTo("ab\ncd\ne\nf\ng");
  }

  @Test
  void control_sequences_are_taken_out_wherever_they_are_cut() {
    var text = "a\u001b]0;title\u0007b\u001b[31;1mc\u001bPq\u001b\\d\u001b(Be\r\nf\u0007\tü";
    var bytes = text.getBytes(UTF_8);
    var plain = new PlainBytes();
    var out = new ByteArrayOutputStream();
    for (var one : bytes) {
      out.writeBytes(plain.next(new byte[] {one}));
    }

    assertThat(out.toString(UTF_8)).isEqualTo("abcde\nf\tü");
  }
}
