package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Output at a reader's pace is shown in full, and a flood costs little wherever it goes. */
final class PreviewBudgetTest {
  private static final int FULL = 8 * 1024;

  private final PreviewBudget budget = new PreviewBudget();

  private int show(long atMs, char what) {
    var bytes = new byte[budget.allowed(atMs, FULL)];
    Arrays.fill(bytes, (byte) what);
    budget.spend(bytes);
    return bytes.length;
  }

  @Test
  void a_task_that_writes_at_a_readers_pace_is_shown_in_full_for_ever() {
    for (var i = 0; i < 10_000; i++) {
      assertThat(show(i * 20L, 'x')).isEqualTo(FULL);
    }
  }

  @Test
  void a_flood_is_shown_in_full_at_first_and_then_here_and_there() {
    var shown = 0L;
    for (var i = 0; i < 16_000; i++) {
      shown += show(i / 16, 'x');
    }
    // A second of a flood of a gigabyte, in ranges of 64 KiB.
    assertThat(shown).isBetween(512L << 10, 1L << 20);
  }

  @Test
  void zeros_cost_what_they_take_when_they_are_written() {
    var shown = 0;
    while (show(0, '\0') == FULL) {
      shown++;
    }
    assertThat(shown).isLessThan(10);
  }

  @Test
  void a_line_after_a_flood_is_shown_in_full() {
    for (var i = 0; i < 1_000; i++) {
      show(1, 'x');
    }
    assertThat(show(2_000, 'x')).isEqualTo(FULL);
  }

  @Test
  void a_clock_that_goes_back_takes_nothing_away() {
    show(1_000_000, 'x');
    assertThat(show(5, 'x')).isEqualTo(FULL);
    assertThat(show(1_000_000, 'x')).isEqualTo(FULL);
  }
}
