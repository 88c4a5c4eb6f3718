package dev.errand.daemon.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlainTextTest {

  @ParameterizedTest
  @CsvSource({
    "'\u001b[1;31mred\u001b[0m and plain', 'red and plain'",
    "'\u001b]0;a title\u0007text', 'text'",
    "'\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'",
    "'\u009b31mred', 'red'",
    "'a\u0000\u0007\u007f\u0085b', 'ab'",
    "'10%\r50%\r100%', '100%'",
    "'one\r\ntwo\r\n', 'one\ntwo\n'",
    "'passs\bword', 'password'",
    "'\u202egnp.exe', 'gnp.exe'",
    "'a\u2028b', 'ab'",
    "'tab\tstays', 'tab\tstays'",
    "'ends in an escape \u001b', 'ends in an escape '",
  })
  void control_characters_never_reach_the_text(String raw, String plain) {
    assertThat(PlainText.of(raw)).isEqualTo(plain);
  }

  @Test
  void an_open_title_hides_its_own_line_only() {
    assertThat(PlainText.of("\u001b]0;never closed\nnext")).isEqualTo("\nnext");
  }

  @Test
  void the_last_line_is_the_last_that_is_not_blank() {
    assertThat(PlainText.lastLine("one\ntwo \u001b[K\n\n  \n", 100)).isEqualTo("two");
    assertThat(PlainText.lastLine("", 100)).isEmpty();
    assertThat(PlainText.lastLine("x".repeat(50), 10)).isEqualTo("x".repeat(9) + "…");
    assertThat(PlainText.lastLine("ab\ud83d\ude00cd", 4)).isEqualTo("ab…");
  }

  @Test
  void a_tail_never_begins_with_half_a_character() {
    assertThat(PlainText.tail("a\ud83d\ude00b", 2)).isEqualTo("b");
    assertThat(PlainText.tail("a\ud83d\ude00b", 3)).isEqualTo("\ud83d\ude00b");
  }
}
