package dev.errand.wire.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.testkit.SettableClock;
import dev.errand.testkit.TimeSuite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SettableClockTest extends TimeSuite {
  private final SettableClock clock = new SettableClock(Instant.EPOCH);

  @Override
  protected Time clock() {
    return clock;
  }

  @Override
  protected void pass(Duration time) {
    clock.advance(time);
  }

  @Test
  void timers_act_in_their_order_and_each_at_its_time() {
    var acted = new ArrayList<Long>();
    clock.after(Duration.ofSeconds(3), () -> acted.add(clock.millis()));
    clock.after(
        Duration.ofSeconds(1),
        () -> {
          acted.add(clock.millis());
          clock.after(Duration.ofSeconds(1), () -> acted.add(clock.millis()));
        });

    clock.advance(Duration.ofSeconds(5));

    assertThat(acted).isEqualTo(List.of(1_000L, 2_000L, 3_000L));
    assertThat(clock.millis()).isEqualTo(5_000);
    assertThat(clock.waiting()).isZero();
  }

  @Test
  void setting_the_wall_clock_lets_no_time_pass() {
    clock.set(Instant.ofEpochSecond(1_000));

    assertThat(clock.ticks()).isZero();
  }

  @Test
  void who_looked_before_the_clock_was_moved_has_waited_already() throws Exception {
    var deadline = clock.ticks() + Duration.ofSeconds(1).toNanos();
    var mover = Thread.ofVirtual().start(() -> clock.advance(Duration.ofSeconds(1)));
    mover.join();

    assertThat(clock.await(new Signal(), Duration.ofSeconds(1))).isFalse();

    assertThat(clock.ticks()).isEqualTo(deadline);
  }

  @Test
  void who_waits_outside_of_it_is_told_when_it_was_moved() {
    var seen = new ArrayList<Long>();
    var telling = clock.whenMoved(() -> seen.add(clock.millis()));

    clock.advance(Duration.ofSeconds(1));
    telling.cancel();
    clock.advance(Duration.ofSeconds(1));

    assertThat(seen).containsExactly(1_000L);
  }
}
