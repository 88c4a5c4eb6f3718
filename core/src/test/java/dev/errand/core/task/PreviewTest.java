package dev.errand.core.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PreviewTest {
  private static final String REPLACEMENT = "\uFFFD";

  /** Characters of one, two, three and four bytes, borders of each length among them. */
  private static final int[] CHARACTERS = {
    'a', '\n', 0, 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0x20AC, 0xD7FF, 0xE000, 0xFFFC, 0x10000, 0x1F600,
    0x10FFFF
  };

  static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_preview_of_text_is_a_whole_number_of_its_first_characters(int seed) {
    var random = new Random(seed);
    var text = text(random, 1 + random.nextInt(8_000));
    var bytes = text.getBytes(UTF_8);
    var rangeBytes = bytes.length + (random.nextBoolean() ? 0 : random.nextInt(64 * 1024));

    var preview = Preview.of(bytes, rangeBytes);

    assertThat(text).startsWith(preview.chunk());
    assertThat(preview.chunk()).doesNotContain(REPLACEMENT);
    assertThat(preview.chunk().getBytes(UTF_8)).hasSize(preview.bytes());
    assertThat(preview.bytes())
        .isBetween(Math.min(bytes.length, Preview.BYTES_MAX) - 3, Preview.BYTES_MAX);
    assertThat(preview.cut()).isEqualTo(preview.bytes() < rangeBytes);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_start_that_ends_inside_a_character_shows_none_of_it(int seed) {
    var random = new Random(seed);
    var text = text(random, 1 + random.nextInt(20));
    var bytes = text.getBytes(UTF_8);
    for (var length = 0; length < bytes.length; length++) {
      var preview = Preview.of(Arrays.copyOf(bytes, length), bytes.length);

      assertThat(text).startsWith(preview.chunk());
      assertThat(preview.chunk().getBytes(UTF_8)).hasSize(preview.bytes());
      assertThat(length - preview.bytes()).isBetween(0, 3);
      assertThat(preview.cut()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void bytes_that_are_no_text_are_shown_as_far_as_the_bound(int seed) {
    var random = new Random(seed);
    var bytes = new byte[random.nextInt(3 * Preview.BYTES_MAX)];
    random.nextBytes(bytes);
    var rangeBytes = bytes.length + random.nextInt(2);

    var preview = Preview.of(bytes, rangeBytes);

    assertThat(preview.bytes())
        .isBetween(Math.min(bytes.length, Preview.BYTES_MAX) - 3, Preview.BYTES_MAX);
    assertThat(preview.chunk())
        .isEqualTo(new String(bytes, 0, preview.bytes(), UTF_8))
        .hasSizeLessThanOrEqualTo(preview.bytes());
    assertThat(preview.cut()).isEqualTo(preview.bytes() < rangeBytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x80, 0xBF, 0xC0, 0xE2, 0xF0, 0xF5, 0xF8, 0xFE, 0xFF})
  void a_run_of_one_odd_byte_does_not_disappear(int value) {
    var bytes = new byte[Preview.BYTES_MAX + 1];
    Arrays.fill(bytes, (byte) value);

    var preview = Preview.of(bytes, bytes.length);

    assertThat(preview.bytes()).isBetween(Preview.BYTES_MAX - 1, Preview.BYTES_MAX);
    assertThat(preview.chunk().replace(REPLACEMENT, "")).isEmpty();
    assertThat(preview.chunk()).isNotEmpty();
  }

  @Test
  void a_range_that_is_shown_whole_is_not_cut() {
    assertThat(Preview.of("héllo".getBytes(UTF_8), 6)).isEqualTo(new Preview("héllo", 6, false));
  }

  @Test
  void a_range_that_fills_the_bound_is_shown_whole() {
    var text = "x".repeat(Preview.BYTES_MAX);

    assertThat(Preview.of(text.getBytes(UTF_8), text.length()))
        .isEqualTo(new Preview(text, Preview.BYTES_MAX, false));
  }

  @Test
  void an_empty_range_has_an_empty_preview() {
    assertThat(Preview.of(new byte[0], 0)).isEqualTo(new Preview("", 0, false));
  }

  private static String text(Random random, int length) {
    var text = new StringBuilder();
    for (var i = 0; i < length; i++) {
      text.appendCodePoint(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.toString();
  }
}
