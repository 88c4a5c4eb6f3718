package dev.errand.wire.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EscapeFilterTest {

  private static String shown(String written) {
    var filter = new EscapeFilter();
    var shown = new ByteArrayOutputStream();
    for (var it : written.replace('^', '\u001b').getBytes(UTF_8)) {
      if (filter.shows(it)) {
        shown.write(it);
      }
    }
    return shown.toString(UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "a^[31;1mb^[mc, abc",
    "^]0;a title\u0007text, text",
    "^]0;a title^\\text, text",
    "a^(Bü^c, aü",
    "'a\tb\r\nc\u0007\u007f', 'a\tb\r\nc'",
    "'one^[31\ntwo', 'one\ntwo'",
    "one^[31ü, oneü",
    "^]0;title^[1mtext, text",
  })
  void a_reader_sees_text_and_ends_of_lines(String written, String shown) {
    assertThat(shown(written)).isEqualTo(shown);
  }

  @Test
  void what_never_ends_does_not_hide_what_follows() {
    assertThat(shown("^[" + "1".repeat(300) + "text")).endsWith("text").hasSizeLessThan(60);
    assertThat(shown("^]0;" + "t".repeat(5_000) + "text")).endsWith("text").hasSizeLessThan(1_000);
  }

  @Test
  void a_sequence_counts_its_own_bytes_only() {
    assertThat(shown("^[1m".repeat(200) + "text")).isEqualTo("text");
    assertThat(shown("^[" + "1^[".repeat(200) + "mtext")).isEqualTo("text");
  }
}
