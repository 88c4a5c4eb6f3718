package dev.errand.host.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RedactorTest {
  private static final String VALUE = "s3cr3t/pass \"wörd\"+x";

  @Test
  void a_value_is_replaced_by_its_name() {
    assertThat(redact("a " + VALUE + " b " + VALUE)).isEqualTo("a [secret:KEY] b [secret:KEY]");
    assertThat(redact("nothing here")).isEqualTo("nothing here");
  }

  @Test
  void common_forms_of_a_value_are_replaced_too() {
    var bytes = VALUE.getBytes(UTF_8);
    for (var form :
        new String[] {
          Base64.getEncoder().encodeToString(bytes),
          Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
          java.net.URLEncoder.encode(VALUE, UTF_8),
          java.net.URLEncoder.encode(VALUE, UTF_8).replace("+", "%20"),
          VALUE.replace("\"", "\\\""),
          VALUE.replace("\"", "\\\"").replace("/", "\\/"),
          VALUE.replace("\"", "\\\"").replace("ö", "\\u00f6"),
          VALUE.replace("\"", "\\u0022").replace("ö", "\\u00F6").replace("+", "\\u002B"),
          "s3cr3t/pass%20%22w%C3%B6rd%22%2Bx",
          "s3cr3t/pass%20%22w%C3%B6rd%22+x",
        }) {
      assertThat(redact("<" + form + ">")).as(form).isEqualTo("<[secret:KEY]>");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "u", "us", "usr", "user"})
  void inside_of_a_longer_text_in_base64_it_is_found_wherever_it_begins(String before) {
    var text = before + VALUE + " and more";
    var encoded = Base64.getEncoder().encodeToString(text.getBytes(UTF_8));

    var redacted = redact(encoded);

    assertThat(redacted).contains("[secret:KEY]");
    // At most the two digits that it shares with its neighbours are left.
    assertThat(redacted.replace("[secret:KEY]", "")).hasSizeLessThan(encoded.length() - 20);
  }

  @Test
  void a_value_from_a_file_is_found_without_its_last_line_feed() {
    var secrets = Secrets.of(Map.of("KEY", "line one\nline two\n"));

    assertThat(secrets.redact("line one\nline two.")).isEqualTo("[secret:KEY].");
  }

  @Test
  void angle_brackets_and_ampersands_may_be_escaped_in_json() {
    var secrets = Secrets.of(Map.of("KEY", "a<b>&c"));

    assertThat(secrets.redact("\"a\\u003cb\\u003e\\u0026c\"")).isEqualTo("\"[secret:KEY]\"");
  }

  @Test
  void a_value_of_several_lines_is_found_as_a_terminal_shows_it() {
    var secrets = Secrets.of(Map.of("KEY", "line one\nline two\n"));

    assertThat(secrets.redact("line one\r\nline two\r\n.")).isEqualTo("[secret:KEY].");
    assertThat(secrets.redact("line one\r\nline two.")).isEqualTo("[secret:KEY].");
  }

  @Test
  void it_is_known_whether_what_is_held_back_came_just_now() {
    var redactor = redactor(Map.of("KEY", "abcdef"));

    push(redactor, "ab");
    assertThat(redactor.isHoldingFromBefore(2)).isFalse();
    push(redactor, "c");
    assertThat(redactor.isHoldingFromBefore(1)).isTrue();
    push(redactor, "a");
    assertThat(redactor.isHoldingFromBefore(1)).isFalse();
  }

  /** Of a value that is all escapes each form is several times as long. */
  @Test
  void of_long_values_fewer_forms_are_looked_for_and_the_values_themselves_always() {
    var values = new LinkedHashMap<String, String>();
    for (var i = 0; i < 64; i++) {
      values.put("KEY" + i, (i + "ö<\"/\n").repeat(70));
    }
    var secrets = Secrets.of(values);

    assertThat(secrets.chars()).isLessThanOrEqualTo(1 << 20);
    values.forEach((name, value) ->
        assertThat(secrets.redact("-" + value + "-")).isEqualTo("-[secret:" + name + "]-"));
  }

  @Test
  void only_a_true_beginning_is_held_back_and_it_can_be_released() {
    var redactor = redactor(Map.of("KEY", "abcdef"));

    assertThat(push(redactor, "xxabc")).isEqualTo("xx");
    assertThat(redactor.isHolding()).isTrue();
    assertThat(push(redactor, "x")).isEqualTo("abcx");
    assertThat(redactor.isHolding()).isFalse();
    assertThat(push(redactor, "abc")).isEmpty();
    assertThat(new String(redactor.release(), UTF_8)).isEqualTo("abc");
    assertThat(push(redactor, "def.")).isEqualTo("def.");
  }

  @Test
  void overlapping_values_leave_nothing_of_either() {
    var secrets = Secrets.of(Map.of("A", "abcdefg", "B", "bcde", "C", "fghij"));

    assertThat(secrets.redact("-abcdefghij-")).isEqualTo("-[secret:A]-");
    assertThat(secrets.redact("-abcdex-")).isEqualTo("-a[secret:B]x-");
    assertThat(Secrets.of(Map.of("A", "aaaa")).redact("a".repeat(1001) + "b"))
        .isEqualTo("[secret:A]b");
  }

  @Test
  void short_values_are_left_alone() {
    assertThat(Secrets.of(Map.of("A", "abc")).redactor()).isNull();
  }

  /**
   * The released parts of a stream are texts of their own; each is redacted as if it were whole.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void however_a_stream_is_cut_it_is_redacted_as_the_whole(long seed) {
    var random = new Random(seed);
    for (var round = 0; round < 300; round++) {
      var values = values(random);
      var text = text(random, values);
      var redactor = redactor(values);
      var expected = new StringBuilder();
      var actual = new ByteArrayOutputStream();
      var segment = 0;
      for (var at = 0; at < text.length; ) {
        var end = Math.min(text.length, at + 1 + random.nextInt(12));
        var piece = Arrays.copyOfRange(text, at, end);
        actual.writeBytes(redactor.push(piece, piece.length));
        at = end;
        if (random.nextInt(6) == 0) {
          actual.writeBytes(redactor.release());
          expected.append(naive(values, Arrays.copyOfRange(text, segment, at)));
          segment = at;
        }
      }
      actual.writeBytes(redactor.release());
      expected.append(naive(values, Arrays.copyOfRange(text, segment, text.length)));
      assertThat(actual.toString(ISO_8859_1).replaceAll("\\[secret:N\\d]", "[secret:?]"))
          .as("seed %d", seed)
          .isEqualTo(expected.toString());
    }
  }

  private static Map<String, String> values(Random random) {
    var values = new LinkedHashMap<String, String>();
    for (var i = 1 + random.nextInt(4); i > 0; i--) {
      values.put("N" + i, letters(random, 4 + random.nextInt(6)));
    }
    return values;
  }

  /** Of few letters, so that beginnings, overlaps and repeats are common. */
  private static String letters(Random random, int length) {
    var text = new StringBuilder();
    for (var i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(2)));
    }
    return text.toString();
  }

  private static byte[] text(Random random, Map<String, String> values) {
    var text = new StringBuilder();
    for (var i = random.nextInt(20); i > 0; i--) {
      var all = values.values().toArray(String[]::new);
      text.append(
          switch (random.nextInt(4)) {
            case 0 -> all[random.nextInt(all.length)];
            case 1 ->
                Base64.getEncoder()
                    .encodeToString(all[random.nextInt(all.length)].getBytes(ISO_8859_1));
            case 2 -> letters(random, random.nextInt(8));
            default -> "." + (char) random.nextInt(256);
          });
    }
    return text.toString().getBytes(ISO_8859_1);
  }

  /** By looking for every form at every place. */
  private static String naive(Map<String, String> values, byte[] bytes) {
    var text = new String(bytes, ISO_8859_1);
    var result = new StringBuilder();
    var at = 0;
    while (at < text.length()) {
      if (longest(values, text, at) == 0) {
        result.append(text.charAt(at));
        at++;
        continue;
      }
      var end = at + longest(values, text, at);
      for (var i = at + 1; i < end; i++) {
        end = Math.max(end, i + longest(values, text, i));
      }
      result.append("[secret:?]");
      at = end;
    }
    return result.toString();
  }

  private static int longest(Map<String, String> values, String text, int at) {
    return values.values().stream()
        .flatMap(it -> SecretForms.of(it).stream())
        .filter(it -> text.startsWith(it, at))
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }

  private static Redactor redactor(Map<String, String> values) {
    return Objects.requireNonNull(Secrets.of(values).redactor());
  }

  private static String push(Redactor redactor, String text) {
    var bytes = text.getBytes(UTF_8);
    return new String(redactor.push(bytes, bytes.length), UTF_8);
  }

  private static String redact(String text) {
    return Secrets.of(Map.of("KEY", VALUE)).redact(text);
  }
}
