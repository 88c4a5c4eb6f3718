package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RetentionClockTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration TEN_YEARS = Duration.ofDays(3_652);

  private static final Duration KEPT = Duration.ofDays(30);

  private final SettableClock wall = new SettableClock(START);
  private final AtomicLong nanos = new AtomicLong(77);
  private final RetentionClock wary = new RetentionClock(wall, nanos::get, START);

  private void live(Duration time) {
    wall.advance(time);
    nanos.addAndGet(time.toNanos());
  }

  /** The present, as it counts for what is older than all that happens here. */
  private Instant believed() {
    return believed(wary);
  }

  private static Instant believed(RetentionClock clock) {
    return Instant.ofEpochMilli(clock.ago(KEPT)).plus(KEPT);
  }

  @Test
  void a_steady_clock_is_followed() {
    live(Duration.ofDays(9));

    assertThat(believed()).isEqualTo(wall.instant());
  }

  @Test
  void a_jump_ahead_counts_only_after_a_day() {
    for (var jump : new Duration[] {Duration.ofHours(1), TEN_YEARS}) {
      wall.advance(jump);
      assertThat(believed()).isEqualTo(wall.instant().minus(jump));

      live(Duration.ofHours(23));
      assertThat(believed()).isEqualTo(wall.instant().minus(jump));

      live(Duration.ofHours(1));
      assertThat(believed()).isEqualTo(wall.instant());
    }
  }

  @Test
  void a_jump_that_is_put_right_leaves_nothing_early_and_nothing_for_ever() {
    wall.advance(TEN_YEARS);
    assertThat(believed()).isEqualTo(START);
    live(Duration.ofHours(2));
    wall.advance(TEN_YEARS.negated());

    assertThat(believed()).isEqualTo(START.plus(Duration.ofHours(2)));
    live(Duration.ofDays(2));
    assertThat(believed()).isEqualTo(wall.instant());
  }

  @Test
  void a_jump_back_and_its_repair_are_early_at_no_time() {
    wall.advance(Duration.ofHours(-1));
    assertThat(believed()).isBeforeOrEqualTo(START);
    wall.advance(Duration.ofHours(1));
    assertThat(believed()).isBeforeOrEqualTo(START);
    live(Duration.ofDays(1));
    assertThat(believed()).isEqualTo(wall.instant());
  }

  @Test
  void the_time_without_a_daemon_counts_only_after_a_day() {
    var later = new RetentionClock(wall, nanos::get, START.minus(TEN_YEARS));

    assertThat(believed(later)).isEqualTo(START.minus(TEN_YEARS));
    live(Duration.ofDays(1));
    assertThat(believed(later)).isEqualTo(wall.instant());
  }

  @Test
  void what_came_after_the_time_without_a_daemon_is_as_old_as_it_is() {
    var away = Duration.ofSeconds(48);
    var later = new RetentionClock(wall, nanos::get, START.minus(away));
    live(Duration.ofSeconds(10));

    assertThat(later.ago(Duration.ofSeconds(2))).isEqualTo(wall.millis() - 2_000);
    assertThat(later.ago(Duration.ofSeconds(20)))
        .isEqualTo(wall.instant().minus(away).minusSeconds(20).toEpochMilli());
  }

  @Test
  void of_several_jumps_those_count_that_a_thing_has_seen() {
    wall.advance(Duration.ofHours(1));
    wary.ago(Duration.ZERO);
    live(Duration.ofMinutes(10));
    wall.advance(Duration.ofHours(2));
    wary.ago(Duration.ZERO);
    live(Duration.ofMinutes(10));

    assertThat(Instant.ofEpochMilli(wary.ago(Duration.ofMinutes(5))))
        .isEqualTo(wall.instant().minus(Duration.ofMinutes(5)));
    assertThat(Instant.ofEpochMilli(wary.ago(Duration.ofMinutes(15))))
        .isEqualTo(START.plus(Duration.ofHours(1)).plus(Duration.ofMinutes(5)));
    assertThat(Instant.ofEpochMilli(wary.ago(Duration.ofMinutes(21))))
        .isEqualTo(START.minus(Duration.ofMinutes(1)));
  }
}
