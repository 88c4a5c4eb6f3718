package dev.errand.wire.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.terminal.EscapeParser.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EscapeParserTest {
  private final EscapeParser parser = new EscapeParser();

  /** One letter for each byte: Text, Control, Inside, End, Dropped. */
  private String parts(String written) {
    var parts = new StringBuilder();
    for (var it : written.replace('^', '\u001b').getBytes(UTF_8)) {
      parts.append(
          switch (parser.next(it & 0xff)) {
            case TEXT -> 'T';
            case CONTROL -> 'C';
            case INSIDE -> 'I';
            case END -> 'E';
            case CANCEL -> 'D';
          });
    }
    return parts.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "ab, TT",
    "ü, TT",
    "'\n\t\u007f', CCC",
    "^[31;1mx, IIIIIIET",
    "^[?25l, IIIIIE",
    "^[0 q, IIIIE",
    "^(Bx, IIET",
    "^cx, IET",
    "^]0;t\u0007x, IIIIIET",
    "^]0;t^\\x, IIIIIIET",
    "'^Pq\n^\\x', IIIIIET",
  })
  void each_byte_is_told_from_the_others(String written, String parts) {
    assertThat(parts(written)).isEqualTo(parts);
    assertThat(parser.state()).isEqualTo(State.TEXT);
  }

  @ParameterizedTest
  @CsvSource({
    "'^[3\n1mx', IIICIET",
    "'^\n[1mx', ICIIET",
    "^[3^[1mx, IIIIIIET",
    "^[3\u0018x, IIIDT",
    "^[3üx, IIITTT",
    "^]0;t\u001ax, IIIIIDT",
    "^]0;t^[1mx, IIIIIIIIET",
    "^]0;t^cx, IIIIIIET",
  })
  void a_sequence_without_an_end_is_left_as_a_terminal_leaves_it(String written, String parts) {
    assertThat(parts(written)).isEqualTo(parts);
  }

  @Test
  void a_caller_can_end_what_has_no_end() {
    assertThat(parts("^]0;t")).isEqualTo("IIIII");
    assertThat(parser.state()).isEqualTo(State.STRING);

    parser.reset(State.TEXT);

    assertThat(parts("text")).isEqualTo("TTTT");
  }
}
