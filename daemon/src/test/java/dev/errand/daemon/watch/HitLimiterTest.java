package dev.errand.daemon.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand.Watched.Sighting;
import dev.errand.core.task.TaskEvent.Match;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchProgress;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.config.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HitLimiterTest {
  private static final Config.Watching LIMITS =
      new Config.Watching(3, Duration.ofSeconds(1), 20, Duration.ofSeconds(1));
  private static final WatchProgress.Hits NONE = new WatchProgress.Hits(0, Map.of(), false);

  private final List<Sighting> out = new ArrayList<>();
  private long nowMs = 1_000;
  private long offset;

  private static HitLimiter gate(boolean once, WatchProgress.Hits before) {
    var watcher = new Watcher("seen", new WatchCondition.Regex("x", null), once);
    return new HitLimiter(0, watcher, before, LIMITS);
  }

  private void hit(HitLimiter gate, LogStream stream) {
    offset += 10;
    gate.hit(new Match(stream, offset, offset + 1), "line " + offset, nanos(), out);
  }

  private long nanos() {
    return Duration.ofMillis(nowMs).toNanos();
  }

  private List<Long> counts() {
    return out.stream().map(Sighting::count).toList();
  }

  @Test
  void few_hits_are_recorded_one_by_one() {
    var gate = gate(false, NONE);
    for (var i = 0; i < 6; i++) {
      hit(gate, LogStream.STDOUT);
      nowMs += 600;
    }

    assertThat(counts()).containsExactly(1L, 1L, 1L, 1L, 1L, 1L);
    assertThat(gate.due(nanos())).isNull();
  }

  @Test
  void hits_behind_a_burst_are_gathered_and_recorded_once_in_a_while_with_the_last_of_them() {
    var gate = gate(false, NONE);
    for (var i = 0; i < 8; i++) {
      hit(gate, LogStream.STDOUT);
    }
    gate.flush(nanos(), false, out);
    assertThat(counts()).containsExactly(1L, 1L, 1L);
    assertThat(gate.due(nanos())).isEqualTo(Duration.ofSeconds(1));

    nowMs += 1_000;
    gate.flush(nanos(), false, out);

    assertThat(counts()).containsExactly(1L, 1L, 1L, 5L);
    assertThat(out.getLast().snippet()).isEqualTo("line 80");
    assertThat(out.getLast().match()).isEqualTo(new Match(LogStream.STDOUT, 80, 81));
  }

  @Test
  void each_log_has_its_own_count_so_that_none_is_counted_twice_after_a_restart() {
    var gate = gate(false, NONE);
    for (var i = 0; i < 4; i++) {
      hit(gate, LogStream.STDOUT);
      hit(gate, LogStream.STDERR);
    }

    gate.flush(nanos(), true, out);

    assertThat(counts()).containsExactly(1L, 1L, 1L, 2L, 3L);
    assertThat(out.subList(3, 5).stream().map(Sighting::match))
        .containsExactly(new Match(LogStream.STDOUT, 70, 71), new Match(LogStream.STDERR, 80, 81));
  }

  @Test
  void when_it_is_calm_again_hits_are_recorded_one_by_one_again() {
    var gate = gate(false, NONE);
    for (var i = 0; i < 4; i++) {
      hit(gate, LogStream.STDOUT);
    }
    nowMs += 1_000;
    gate.flush(nanos(), false, out);
    nowMs += 100;
    hit(gate, LogStream.STDOUT);

    assertThat(counts()).containsExactly(1L, 1L, 1L, 1L, 1L);
    assertThat(gate.due(nanos())).isNull();
  }

  @Test
  void too_many_hits_are_recorded_up_to_the_last_and_then_it_is_silenced() {
    var gate = gate(false, new WatchProgress.Hits(12, Map.of(), false));
    for (var i = 0; i < 30; i++) {
      hit(gate, LogStream.STDOUT);
    }

    assertThat(out.stream().mapToLong(Sighting::count).sum()).isEqualTo(8);
    assertThat(out.getLast().silenced()).isEqualTo("too many hits");
    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.due(nanos())).isNull();
  }

  @Test
  void one_that_is_wanted_once_hits_once_also_after_a_restart() {
    var gate = gate(true, NONE);
    hit(gate, LogStream.STDOUT);
    hit(gate, LogStream.STDOUT);

    assertThat(counts()).containsExactly(1L);
    assertThat(gate.isOpen()).isFalse();
    assertThat(gate(true, new WatchProgress.Hits(1, Map.of(), false)).isOpen()).isFalse();
  }
}
