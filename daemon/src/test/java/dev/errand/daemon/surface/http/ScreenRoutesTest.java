package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of a terminal, in every form. */
final class ScreenRoutesTest {
  @TempDir Path folder;
  private Surface surface;
  private TaskId taskId;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
    taskId = surface.terminal(3, 20);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private void write(String text) {
    surface.hosts.write(taskId, LogStream.PTY, text.replace("\\e", "\u001b"));
  }

  private String target(String query) {
    return "/tasks/" + taskId + "/screen" + query;
  }

  private static String text(Wire.Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void a_screen_is_told_with_all_that_is_known_of_it() throws IOException {
    write("\\e]0;my title\u0007one\r\ntwo");

    var screen = json(surface.get(target("")));

    assertThat(screen.path("task_id").stringValue("")).isEqualTo(taskId.value());
    assertThat(screen.path("lines").toString()).isEqualTo("[\"one\",\"two\",\"\"]");
    assertThat(screen.path("rows").intValue()).isEqualTo(3);
    assertThat(screen.path("cols").intValue()).isEqualTo(20);
    assertThat(screen.path("cursor").toString())
        .isEqualTo("{\"row\":1,\"col\":3,\"visible\":true}");
    assertThat(screen.path("title").stringValue("")).isEqualTo("my title");
    assertThat(screen.path("alternate").booleanValue(true)).isFalse();
    assertThat(screen.path("approximate").booleanValue(true)).isFalse();
    assertThat(screen.path("offset_bytes").longValue()).isEqualTo(21);
    assertThat(screen.path("seq").longValue()).isPositive();
  }

  @Test
  void a_terminal_that_has_written_nothing_is_empty() throws IOException {
    assertThat(json(surface.get(target(""))).path("lines").toString())
        .isEqualTo("[\"\",\"\",\"\"]");
  }

  @Test
  void an_earlier_moment_can_be_seen() throws IOException {
    write("one");
    var seq = json(surface.get(target(""))).path("seq").longValue();
    write("\\e[2J\\e[Htwo");

    assertThat(text(surface.get(target("?format=text")))).isEqualTo("two\n\n\n");
    assertThat(text(surface.get(target("?format=text&at_seq=" + seq)))).isEqualTo("one\n\n\n");
  }

  @Test
  void text_comes_with_the_lines_before_it_where_they_are_wanted() throws IOException {
    write("one\r\ntwo\r\nthree\r\nfour");

    assertThat(text(surface.get(target("?format=text")))).isEqualTo("two\nthree\nfour\n");
    assertThat(text(surface.get(target("?format=text&scrollback=true"))))
        .isEqualTo("one\ntwo\nthree\nfour\n");
    assertThat(json(surface.get(target("?scrollback=true"))).path("scrollback").toString())
        .isEqualTo("[\"one\"]");
  }

  @Test
  void a_page_holds_no_markup_of_the_program() throws IOException {
    write("\\e]0;</title><script>\u0007\\e[31;1m<b>&\"'");

    var answer = surface.get(target("?format=html"));

    assertThat(answer.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'");
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(text(answer))
        .contains("&lt;b&gt;&amp;&quot;&#39;", "font-weight:bold", "&lt;/title&gt;&lt;script&gt;")
        .doesNotContain("<script", "<b>");
  }

  @Test
  void sequences_draw_the_screen_again() throws IOException {
    write("\\e[?1049h\\e[1;31mred\\e[?25l");

    var answer = surface.get(target("?format=ansi"));

    assertThat(text(answer)).contains("\u001b[?1047h", "\u001b[0;1;31mred", "\u001b[?25l");
    assertThat(answer.header("Errand-Offset")).isEqualTo("24");
    assertThat(answer.header("Errand-Approximate")).isEqualTo("false");
  }

  @Test
  void pipes_and_unknown_words_are_refused() throws IOException {
    var pipes = surface.running();

    var answer = surface.get("/tasks/" + pipes + "/screen");
    assertThat(code(answer)).isEqualTo("INVALID_REQUEST");
    assertThat(text(answer)).contains("pipes");
    assertThat(code(surface.get(target("?format=pdf")))).isEqualTo("INVALID_REQUEST");
    assertThat(code(surface.get(target("?at_seq=-1")))).isEqualTo("INVALID_REQUEST");
    assertThat(code(surface.get("/tasks/0198c000-0000-7000-8000-000000000099/screen")))
        .isEqualTo("TASK_NOT_FOUND");
  }
}
