package dev.errand.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Utf8Test {
  private static final int ROUNDS = 2_000;
  private static final String LETTERS = "ab\nä€𝄞\u0000";

  /** Whoever reads page by page gets every character whole, whatever the size of a page. */
  @Test
  void pages_of_any_size_join_to_the_text() {
    var random = new Random(1);
    for (var round = 0; round < ROUNDS; round++) {
      var letters = LETTERS.codePoints().toArray();
      var text = new StringBuilder();
      random.ints(20, 0, letters.length).forEach(it -> text.appendCodePoint(letters[it]));
      assertThat(joined(text.toString().getBytes(StandardCharsets.UTF_8), 1 + random.nextInt(9)))
          .isEqualTo(text.toString());
    }
  }

  @Test
  void bytes_that_are_no_text_are_read_to_the_end_too() {
    var random = new Random(2);
    for (var round = 0; round < ROUNDS; round++) {
      var bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      assertThat(joined(bytes, 1 + random.nextInt(9)).isEmpty()).isEqualTo(bytes.length == 0);
    }
  }

  private static String joined(byte[] bytes, int max) {
    var joined = new StringBuilder();
    for (var at = 0; at < bytes.length; ) {
      var end = Math.min(bytes.length, at + Math.max(max, Utf8.CHARACTER_BYTES_MAX));
      var page = Arrays.copyOfRange(bytes, at, end);
      var length = Utf8.pageBytes(page, max, end < bytes.length);
      assertThat(length).isPositive().isLessThanOrEqualTo(Math.max(max, Utf8.CHARACTER_BYTES_MAX));
      joined.append(new String(page, 0, length, StandardCharsets.UTF_8));
      at += length;
    }
    return joined.toString();
  }
}
