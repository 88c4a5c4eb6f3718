package dev.errand.daemon.pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrefilterTest {
  private static final List<String> PIECES =
      List.of(
          "a",
          "b",
          "k",
          "S",
          "é",
          "ſ",
          "\u212a",
          ".",
          "\\d",
          "\\W",
          "\\s",
          "[ab]",
          "[^a]",
          "[k-t]",
          "[^é]",
          "[[:alpha:]]",
          "[\\dx]",
          "[a-é]",
          "\\pL",
          "\\x61",
          "\\x{e9}",
          "\\Qa.b\\E",
          "\\b",
          "^",
          "$",
          "\\.",
          "-");
  private static final List<String> REPEATS =
      List.of("", "", "", "*", "+", "?", "{2}", "{1,3}", "+?");
  private static final String LETTERS = "aabbkKsSxé.1 -\u212aſA";

  @Test
  void a_line_in_which_a_pattern_occurs_always_passes() {
    var random = new Random(7);
    for (var i = 0; i < 400; i++) {
      var patterns = IntStream.range(0, 3).mapToObj(_ -> pattern(random, 3)).toList();
      var prefilter = new Prefilter(patterns);
      for (var j = 0; j < 20; j++) {
        var line = line(random);
        var found = found(prefilter, line, random);
        for (var p = 0; p < patterns.size(); p++) {
          if (Pattern.compile(patterns.get(p)).matcher(new String(line, UTF_8)).find()) {
            assertThat(found >> p & 1)
                .as("%s in '%s'", patterns.get(p), new String(line, UTF_8))
                .isOne();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          ERROR;          all is well;            false
          ERROR;          an ERROR here;          true
          (?i)error;      an eRRor here;          true
          ^ready;         not ready;              false
          done$;          done so;                false
          done$;          all done;               true
          (a+)+$;         aaaaaaaaaaaaaaaaaaaab;  false
          \\d{3};         12 34;                  false
          listening on (\\d+)|port=\\d;   listening on it; false
          listening on (\\d+)|port=\\d;   with port=80;    true
          """)
  void plain_patterns_are_told_apart_exactly(String pattern, String line, boolean passes) {
    var prefilter = new Prefilter(List.of(pattern));

    assertThat(prefilter.always()).isZero();
    assertThat(found(prefilter, line.getBytes(UTF_8), new Random(1)) != 0).isEqualTo(passes);
  }

  @Test
  void a_pattern_that_is_not_understood_passes_every_line() {
    var prefilter = new Prefilter(List.of("abc", "(?z)what"));

    assertThat(prefilter.always()).isEqualTo(2);
    assertThat(found(prefilter, "x".getBytes(UTF_8), new Random(1))).isEqualTo(2);
  }

  /** Each of these needs more states than are kept. */
  @Test
  @Timeout(60)
  void patterns_with_very_many_states_cost_time_in_proportion_to_the_bytes() {
    var prefilter = new Prefilter(List.of("a[ab]{16}c", "b[ab]{17}d", "(a*)*e"));
    var bytes = new byte[1 << 16];
    var random = new Random(3);
    for (var i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextBoolean() ? 'a' : 'b');
    }

    var end = prefilter.run(prefilter.start(), bytes, 0, bytes.length);

    assertThat(end.foundAtEnd()).isZero();
  }

  @Test
  void a_pattern_that_needs_ever_new_states_is_given_up_and_no_other_is() {
    var prefilter = new Prefilter(List.of("needle", "a[ab]{16}c", "(a*)*z"));
    var random = new Random(4);
    for (var i = 0; i < 1_000; i++) {
      var bytes = new byte[100];
      random.nextBytes(bytes);
      for (var at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) (bytes[at] < 0 ? 'a' : 'b');
      }
      found(prefilter, bytes, random);
    }

    assertThat(prefilter.always()).isEqualTo(2);
    assertThat(found(prefilter, "plain".getBytes(UTF_8), random)).isEqualTo(2);
    assertThat(found(prefilter, "needl".getBytes(UTF_8), random)).isEqualTo(2);
    assertThat(found(prefilter, "needles".getBytes(UTF_8), random)).isEqualTo(3);
  }

  private static long found(Prefilter prefilter, byte[] line, Random random) {
    var cut = line.length == 0 ? 0 : random.nextInt(line.length + 1);
    var state = prefilter.run(prefilter.start(), line, 0, cut);
    state = prefilter.run(state, line, cut, line.length);
    return state.foundAtEnd();
  }

  private static String pattern(Random random, int depth) {
    while (true) {
      var text = (random.nextInt(4) == 0 ? "(?i)" : "") + sequence(random, depth);
      try {
        Pattern.compile(text);
        return text;
      } catch (PatternSyntaxException _) {
        // Such as a repeated border; the next one is better.
      }
    }
  }

  private static String sequence(Random random, int depth) {
    var text = new ArrayList<String>();
    for (var i = random.nextInt(3) + 1; i > 0; i--) {
      var piece =
          depth > 0 && random.nextInt(4) == 0
              ? "(" + sequence(random, depth - 1) + "|" + sequence(random, depth - 1) + ")"
              : PIECES.get(random.nextInt(PIECES.size()));
      text.add(piece + REPEATS.get(random.nextInt(REPEATS.size())));
    }
    return String.join("", text);
  }

  /** Letters, and now and then bytes that are no UTF-8. */
  private static byte[] line(Random random) {
    var text = new StringBuilder();
    for (var i = random.nextInt(8); i > 0; i--) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    var bytes = text.toString().getBytes(random.nextInt(5) == 0 ? ISO_8859_1 : UTF_8);
    return bytes;
  }
}
