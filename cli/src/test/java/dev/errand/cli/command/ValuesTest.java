package dev.errand.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class ValuesTest {

  @ParameterizedTest
  @CsvSource({
    "30, 30000",
    "500ms, 500",
    "90s, 90000",
    "1.5s, 1500",
    "1h30m, 5400000",
    "2D, 172800000"
  })
  void durations_are_read_as_people_write_them(String text, long millis) {
    assertThat(Values.duration(text).toMillis()).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "-1s", "1x", "1h30", "1 h", "99999999999s"})
  void what_is_no_duration_is_refused_with_an_example(String text) {
    assertThatThrownBy(() -> Values.duration(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("1h30m");
  }

  @ParameterizedTest
  @CsvSource({
    "4096, 4096",
    "1k, 1024",
    "64KiB, 65536",
    "10 MB, 10485760",
    "1.5g, 1610612736",
    "7b, 7"
  })
  void sizes_are_read_as_people_write_them(String text, long bytes) {
    assertThat(Values.size(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "big", "-1", "1 kilo", "1ib"})
  void what_is_no_size_is_refused_with_an_example(String text) {
    assertThatThrownBy(() -> Values.size(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("64KiB");
  }
}
