package dev.errand.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FloodDetectorTest {
  private static final long MS = 1_000_000;

  private final FloodDetector flood = new FloodDetector();

  private void pour(int bytes, long fromMs, long toMs) {
    for (var at = fromMs; at <= toMs; at++) {
      flood.came(bytes, at * MS);
    }
  }

  @Test
  void a_stream_of_some_megabytes_a_second_is_none() {
    pour(10 << 10, 1, 1_000);
    assertThat(flood.isFlooding()).isFalse();
  }

  @Test
  void a_stream_of_hundreds_of_megabytes_a_second_is_one_at_once() {
    pour(256 << 10, 1, 15);
    assertThat(flood.isFlooding()).isTrue();
  }

  @Test
  void it_is_over_with_the_first_read_after_a_pause() {
    pour(256 << 10, 1, 100);
    flood.came(10, 500 * MS);
    assertThat(flood.isFlooding()).isFalse();
  }
}
