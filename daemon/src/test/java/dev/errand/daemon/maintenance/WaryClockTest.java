package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WaryClockTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration TEN_YEARS = Duration.ofDays(3_652);

  private final SettableClock wall = new SettableClock(START);
  private final AtomicLong nanos = new AtomicLong(77);
  private final WaryClock wary = new WaryClock(wall, nanos::get, START);

  private void live(Duration time) {
    wall.advance(time);
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void a_steady_clock_is_followed() {
    live(Duration.ofDays(9));

    assertThat(wary.instant()).isEqualTo(wall.instant());
  }

  @Test
  void a_jump_ahead_counts_only_after_a_day() {
    for (var jump : new Duration[] {Duration.ofHours(1), TEN_YEARS}) {
      wall.advance(jump);
      assertThat(wary.instant()).isEqualTo(wall.instant().minus(jump));

      live(Duration.ofHours(23));
      assertThat(wary.instant()).isEqualTo(wall.instant().minus(jump));

      live(Duration.ofHours(1));
      assertThat(wary.instant()).isEqualTo(wall.instant());
    }
  }

  @Test
  void a_jump_that_is_put_right_leaves_nothing_early_and_nothing_for_ever() {
    wall.advance(TEN_YEARS);
    assertThat(wary.instant()).isEqualTo(START);
    live(Duration.ofHours(2));
    wall.advance(TEN_YEARS.negated());

    assertThat(wary.instant()).isEqualTo(START.plus(Duration.ofHours(2)));
    live(Duration.ofDays(2));
    assertThat(wary.instant()).isEqualTo(wall.instant());
  }

  @Test
  void a_jump_back_and_its_repair_are_early_at_no_time() {
    wall.advance(Duration.ofHours(-1));
    assertThat(wary.instant()).isBeforeOrEqualTo(START);
    wall.advance(Duration.ofHours(1));
    assertThat(wary.instant()).isBeforeOrEqualTo(START);
    live(Duration.ofDays(1));
    assertThat(wary.instant()).isEqualTo(wall.instant());
  }

  @Test
  void the_time_without_a_daemon_counts_only_after_a_day() {
    var later = new WaryClock(wall, nanos::get, START.minus(TEN_YEARS));

    assertThat(later.instant()).isEqualTo(START.minus(TEN_YEARS));
    live(Duration.ofDays(1));
    assertThat(later.instant()).isEqualTo(wall.instant());
  }
}
