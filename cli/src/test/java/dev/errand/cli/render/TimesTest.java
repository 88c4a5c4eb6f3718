package dev.errand.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimesTest {

  @ParameterizedTest
  @CsvSource({
    "-5, 0.0s",
    "320, 0.3s",
    "9990, 9.9s",
    "12000, 12s",
    "245000, 4m05s",
    "12000000, 3h20m",
    "259200000, 3d00h"
  })
  void a_span_has_at_most_two_units(long millis, String text) {
    assertThat(Times.span(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @Test
  void sizes_are_in_powers_of_1024() {
    assertThat(Sizes.text(0)).isEqualTo("0 B");
    assertThat(Sizes.text(1_023)).isEqualTo("1023 B");
    assertThat(Sizes.text(1_536)).isEqualTo("1.5 KiB");
    assertThat(Sizes.text(3L << 30)).isEqualTo("3.0 GiB");
  }
}
