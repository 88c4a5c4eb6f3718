package dev.errand.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class SafeTextTest {

  @Test
  void plain_text_stays_as_it_is() {
    assertThat(SafeText.block("täglich\n\tgrüßt 日本 🎉\n")).isEqualTo("täglich\n\tgrüßt 日本 🎉\n");
  }

  @Test
  void escape_sequences_become_harmless() {
    assertThat(SafeText.block("\u001b]52;c;aGk=\u0007 \u001b[31mred\u0000\u007f\u009b2J"))
        .isEqualTo("^[]52;c;aGk=^G ^[[31mred^@^?<U+009B>2J");
  }

  @Test
  void marks_that_reorder_or_break_lines_are_shown() {
    assertThat(SafeText.block("a\u202eb\u2066c\u2028d")).isEqualTo("a<U+202E>b<U+2066>c<U+2028>d");
  }

  @Test
  void characters_without_a_width_are_shown() {
    assertThat(SafeText.block("a\u200bb\u200dc\u2060d\ufeffe\u00adf\u061cg\udb40\udc41h\u3164"))
        .isEqualTo("a<U+200B>b<U+200D>c<U+2060>d<U+FEFF>e<U+00AD>f<U+061C>g<U+E0041>h<U+3164>");
  }

  @Test
  void selectors_of_a_variation_are_shown_but_for_those_of_emoji() {
    assertThat(SafeText.block("a\ufe00b\udb40\udd00c \u26a0\ufe0f"))
        .isEqualTo("a<U+FE00>b<U+E0100>c \u26a0\ufe0f");
  }

  @Test
  void json_at_a_terminal_says_the_same_without_hidden_characters() {
    assertThat(SafeText.visible("{\"a\":\"ä\u009b\u202e\u200b\udb40\udc41\"}"))
        .isEqualTo("{\"a\":\"ä\\u009b\\u202e\\u200b\\udb40\\udc41\"}");
    assertThat(SafeText.visible("{\"a\":\"\u007f\"}")).isEqualTo("{\"a\":\"\\u007f\"}");
    assertThat(SafeText.visible("\u001b[31mred\u001b[0m 日本"))
        .isEqualTo("\u001b[31mred\u001b[0m 日本");
  }

  @Test
  void a_return_goes_before_a_new_line_and_is_shown_elsewhere() {
    assertThat(SafeText.block("one\r\ntwo\rthree\r")).isEqualTo("one\ntwo^Mthree^M");
  }

  @Test
  void a_line_end_split_between_two_pieces_is_still_one() {
    var safe = new SafeText();

    assertThat(safe.next("one\r".getBytes(UTF_8))).isEqualTo("one");
    assertThat(safe.next("\ntwo".getBytes(UTF_8))).isEqualTo("\ntwo");
  }

  @Test
  void a_character_cut_at_the_end_of_the_stream_is_replaced() {
    var safe = new SafeText();

    assertThat(safe.next(new byte[] {'a', (byte) 0xe6, (byte) 0x97})).isEqualTo("a");
    assertThat(safe.end()).isEqualTo("\ufffd");
    assertThat(safe.next("b".getBytes(UTF_8))).isEqualTo("b");
  }

  @Test
  void a_text_for_one_line_never_breaks_it() {
    assertThat(SafeText.line("a\nb\tc\r\ud800")).isEqualTo("a^Jb^Ic^M<U+D800>");
  }

  @RepeatedTest(50)
  void any_bytes_in_any_pieces_come_out_without_control_characters(RepetitionInfo run) {
    var random = new Random(run.getCurrentRepetition());
    var bytes = anyBytes(random);
    var whole = new SafeText();
    var expected = whole.next(bytes) + whole.end();

    var text = inPieces(bytes, random);

    assertThat(text).isEqualTo(expected);
    assertThat(text.codePoints().filter(SafeTextTest::isControl).boxed()).isEmpty();
  }

  /** Random bytes, with control characters and pieces of UTF-8 more often than chance has them. */
  private static byte[] anyBytes(Random random) {
    var bytes = new byte[random.nextInt(2_000)];
    random.nextBytes(bytes);
    var some = "\r\n\u001b[0m\u0085日🎉".getBytes(UTF_8);
    for (var i = 0; i + some.length < bytes.length; i += some.length + random.nextInt(40)) {
      System.arraycopy(some, 0, bytes, i, 1 + random.nextInt(some.length));
    }
    return bytes;
  }

  private static String inPieces(byte[] bytes, Random random) {
    var safe = new SafeText();
    var text = new StringBuilder();
    for (var from = 0; from < bytes.length; ) {
      var to = Math.min(bytes.length, from + random.nextInt(7));
      text.append(safe.next(Arrays.copyOfRange(bytes, from, to)));
      from = to;
    }
    return text.append(safe.end()).toString();
  }

  private static boolean isControl(int codePoint) {
    return codePoint != '\n'
        && codePoint != '\t'
        && Character.getType(codePoint) == Character.CONTROL;
  }
}
