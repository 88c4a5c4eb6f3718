package dev.errand.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class Uuid7Test {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-15T12:00:00Z"));
  private final Uuid7 ids = new Uuid7(clock);

  @Test
  void an_id_is_a_uuid_of_version_7_that_names_a_task() {
    var id = UUID.fromString(ids.next());

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(clock.millis());
    assertThat(new TaskId(ids.next())).isNotNull();
  }

  @Test
  void ids_rise_also_within_a_millisecond_and_when_the_clock_jumps_back() {
    var made = new ArrayList<String>();
    for (var i = 0; i < 10_000; i++) {
      made.add(ids.next());
      if (i == 5_000) {
        clock.advance(Duration.ofHours(-1));
      }
    }

    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void ids_rise_over_a_restart_though_the_clock_was_set_back() {
    var before = ids.next();
    clock.advance(Duration.ofHours(-1));

    var restarted = new Uuid7(clock);
    restarted.continueAfter(new TaskId(before));

    assertThat(restarted.next()).isGreaterThan(before);
  }
}
