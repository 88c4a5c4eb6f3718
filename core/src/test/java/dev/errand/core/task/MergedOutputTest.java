package dev.errand.core.task;

import static dev.errand.core.task.LogStream.STDERR;
import static dev.errand.core.task.LogStream.STDOUT;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.exit;
import static dev.errand.core.task.Samples.exitedFact;
import static dev.errand.core.task.Samples.log;
import static dev.errand.core.task.Samples.output;
import static dev.errand.core.task.Samples.outputFact;
import static dev.errand.core.task.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.Command.OnRestart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A task with many frames tells of its output by few of them, and of all of it. */
final class MergedOutputTest {
  private static final int FRAMES_MAX = 1_000;
  private static final int HALF = 500;
  private static final long NOW = 1_000_000;

  @ParameterizedTest
  @CsvSource({
    "0, 1000, 0",
    "499, 1000, 0",
    "500, 1000, 1",
    "749, 1000, 1",
    "750, 1000, 2",
    "875, 1000, 4",
    "938, 1000, 8",
    "969, 1000, 16",
    "985, 1000, 32",
    "993, 1000, 60",
    "1000, 1000, 60",
    "1000000, 1000, 60",
    "3, 1, 60",
    "0, 1, 0",
    "100, 9223372036854775807, 0"
  })
  void the_interval_doubles_each_time_half_of_what_is_left_is_used(
      long frames, long framesMax, long seconds) {
    assertThat(MergeInterval.of(frames, framesMax)).isEqualTo(Duration.ofSeconds(seconds));
  }

  /** A task at some moment, with all that happened to it. */
  private static final class Life {
    final List<TaskEvent> events = new ArrayList<>();
    final List<Long> shownAtMs = new ArrayList<>();
    TaskState state = new TaskState.Absent();
    PendingOutput pending = PendingOutput.NONE;
    long nowMs = NOW;
    private long n = 3;
    private final Map<LogStream, Long> written = new EnumMap<>(LogStream.class);

    Life(long framesMax) {
      take(new TaskEvent.Spawned(Samples.spec(OnRestart.LOST, framesMax)));
      take(attempted(1));
      take(begun());
    }

    /** The same with so many frames, of one byte each behind the first three. */
    static Life withFrames(int frames) {
      var life = new Life(FRAMES_MAX);
      while (life.events.size() < frames) {
        life.take(output(life.n, STDOUT, life.written(STDOUT), 1));
        life.n++;
        life.written.merge(STDOUT, 1L, Long::sum);
      }
      return life;
    }

    private void take(TaskEvent event) {
      shownAtMs.add(nowMs);
      events.add(event);
      state = TaskFold.evolve(state, event, nowMs);
    }

    long written(LogStream stream) {
      return written.getOrDefault(stream, 0L);
    }

    /** The events of a command at this moment. */
    List<TaskEvent> submit(TaskCommand command) {
      var decider = new PacedDecider(state, pending, nowMs);
      decider.decide(command);
      pending = decider.finish().pending();
      decider.events().forEach(this::take);
      return decider.events();
    }

    HostFact write(LogStream stream, long bytes) {
      var fact = outputFact(n, stream, written(stream), bytes);
      n++;
      written.merge(stream, bytes, Long::sum);
      return fact;
    }

    HostFact signal() {
      var fact = new HostFact.Signalled(1, n, "op" + n, "INT", "ann");
      n++;
      return fact;
    }

    List<TaskEvent> pass(Duration time) {
      nowMs += time.toMillis();
      return submit(report());
    }

    Duration interval() {
      var facts = ((TaskState.Live) state).facts();
      return MergeInterval.of(facts.frames(), facts.spec().work().framesMax());
    }
  }

  @Test
  void below_half_of_the_limit_each_range_has_its_frame_at_once() {
    var life = Life.withFrames(HALF - 2);

    assertThat(life.submit(report(life.write(STDOUT, 1), life.write(STDOUT, 1)))).hasSize(2);
    assertThat(life.pending.isEmpty()).isTrue();
  }

  @Test
  void merging_says_so_once_and_shows_what_it_has() {
    var life = Life.withFrames(HALF);

    var first = life.submit(report(life.write(STDERR, 1), life.write(STDERR, 1)));
    var later = life.submit(report(life.write(STDERR, 1)));

    assertThat(first).hasSize(2).first().isInstanceOf(TaskEvent.OutputMerged.class);
    assertThat(first.getLast())
        .isInstanceOfSatisfying(
            TaskEvent.Output.class,
            it -> {
              assertThat(it.bytes()).isEqualTo(2);
              assertThat(it.crc32c()).isNull();
              assertThat(it.preview().chunk()).isEqualTo("xx");
            });
    assertThat(later).isEmpty();
    assertThat(life.pending.end(STDERR, 2)).isEqualTo(3);
    assertThat(life.pass(Duration.ofMillis(999))).isEmpty();
    assertThat(life.pass(Duration.ofMillis(1))).hasSize(1);
  }

  @Test
  void after_a_pause_output_is_shown_at_once() {
    var life = Life.withFrames(HALF + 10);
    life.submit(report(life.write(STDERR, 1)));
    life.pass(Duration.ofSeconds(5));

    assertThat(life.submit(report(life.write(STDERR, 1)))).hasSize(1);
  }

  @Test
  void a_clock_that_is_set_back_makes_nobody_wait_longer() {
    var life = Life.withFrames(HALF + 10);
    life.submit(report(life.write(STDERR, 1)));
    life.submit(report(life.write(STDERR, 1)));

    assertThat(life.pass(Duration.ofHours(-1))).hasSize(1);
  }

  @Test
  void whatever_else_happens_is_told_behind_the_output_before_it() {
    var match = new TaskEvent.Match(STDOUT, 0, 1);
    var sighting = new TaskCommand.Watched.Sighting(0, match, "x", 1, null);
    for (var command :
        List.of(
            Samples.cancel(),
            new TaskCommand.Watched(List.of(sighting)),
            new TaskCommand.MarkReady("up", NOW))) {
      var life = new Life(1);
      life.state =
          TaskFold.evolve(
              new TaskState.Absent(),
              new TaskEvent.Spawned(Samples.spec(OnRestart.LOST, 1).attending(Samples.watching())),
              0);
      life.take(attempted(1));
      life.take(begun());
      life.submit(report(life.write(STDERR, 1)));
      assertThat(life.submit(report(life.write(STDERR, 1), life.write(STDOUT, 1)))).isEmpty();

      var events = life.submit(command);

      assertThat(events).hasSize(3);
      assertThat(events.subList(0, 2)).allMatch(TaskEvent.Output.class::isInstance);
      assertThat(life.pending.isEmpty()).isTrue();
    }
  }

  @Test
  void a_control_fact_is_told_between_the_output_before_and_behind_it() {
    var life = Life.withFrames(HALF + 10);
    life.submit(report(life.write(STDERR, 1)));

    var events =
        life.submit(
            report(
                life.write(STDERR, 1),
                life.write(STDOUT, 1),
                life.write(STDERR, 1),
                life.signal(),
                life.write(STDERR, 1)));

    assertThat(events).hasSize(3).last().isInstanceOf(TaskEvent.Signalled.class);
    assertThat(life.pending.ranges()).containsExactly(new PendingOutput.Range(STDERR, 3, 4));
  }

  @Test
  void a_command_that_leads_to_nothing_shows_nothing() {
    var life = Life.withFrames(HALF + 10);
    life.submit(report(life.write(STDERR, 1)));
    life.submit(report(life.write(STDERR, 1)));

    assertThat(life.submit(new TaskCommand.Claim.OnHost("host-b"))).isEmpty();
    assertThat(life.pending.isEmpty()).isFalse();
  }

  @Test
  void the_end_comes_behind_all_output() {
    var life = Life.withFrames(HALF + 10);
    life.submit(report(life.write(STDERR, 1)));
    life.submit(report(life.write(STDERR, 8)));

    var events = life.submit(report(exitedFact(2_002, exit(0), log(STDERR, 9))));

    assertThat(events).hasSize(3);
    assertThat(events.getFirst())
        .isInstanceOfSatisfying(
            TaskEvent.Output.class, it -> assertThat(it.preview().bytes()).isEqualTo(8));
    assertThat(life.pending).isEqualTo(PendingOutput.NONE);
  }

  @Test
  void gaps_are_merged_with_the_output() {
    var life = Life.withFrames(HALF + 10);
    life.submit(report(life.write(STDERR, 100)));
    for (var at = 0; at < 50; at += 10) {
      var gap = new HostFact.Gap(1, life.n, STDERR, at, at + 10);
      life.n++;
      assertThat(life.submit(report(gap, life.write(STDERR, 10)))).isEmpty();
    }

    var events = life.pass(Duration.ofSeconds(1));

    assertThat(events).hasSize(2);
    assertThat(events)
        .filteredOn(TaskEvent.OutputGap.class::isInstance)
        .singleElement()
        .satisfies(it -> {
          assertThat(((TaskEvent.OutputGap) it).from()).isZero();
          assertThat(((TaskEvent.OutputGap) it).to()).isEqualTo(50);
        });
  }

  @Test
  void a_preview_shows_merged_output_from_its_start_on() {
    var life = Life.withFrames(HALF + 10);
    life.submit(report(life.write(STDERR, 1)));
    life.submit(report(life.write(STDERR, 5), life.write(STDERR, 5)));
    life.submit(report(life.write(STDERR, 500)));
    life.submit(report(life.write(STDERR, 5)));

    assertThat(life.pass(Duration.ofSeconds(1)))
        .singleElement()
        .isInstanceOfSatisfying(
            TaskEvent.Output.class,
            it -> {
              assertThat(it.bytes()).isEqualTo(515);
              assertThat(it.preview()).isEqualTo(new Preview("x".repeat(20), 20, true));
            });
  }

  static IntStream seeds() {
    return IntStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void from_half_on_a_stream_has_one_frame_in_an_interval_and_none_is_late(int seed) {
    var random = new Random(seed);
    var life = new Life(200 + random.nextInt(400));
    var shown = new EnumMap<LogStream, Long>(LogStream.class);
    var waitingSince = -1L;
    for (var step = 0; step < 5_000; step++) {
      var interval = life.interval();
      var before = life.events.size();
      var facts = new ArrayList<HostFact>();
      for (var i = random.nextInt(3); i > 0; i--) {
        facts.add(life.write(random.nextBoolean() ? STDOUT : STDERR, 1 + random.nextInt(50)));
      }
      life.nowMs += random.nextInt(1 + random.nextInt(2_000));
      life.submit(new TaskCommand.Report(facts));
      for (var event : life.events.subList(before, life.events.size())) {
        if (event instanceof TaskEvent.Output it && interval.isPositive()) {
          var last = shown.put(it.stream(), life.nowMs);
          assertThat(last == null || life.nowMs - last >= interval.toMillis()).isTrue();
        }
      }
      waitingSince = life.pending.isEmpty() ? -1 : waitingSince < 0 ? life.nowMs : waitingSince;
      assertThat(waitingSince < 0 || life.nowMs - waitingSince < life.interval().toMillis())
          .isTrue();
    }
    tiles(life);
  }

  private static void tiles(Life life) {
    for (var stream : List.of(STDOUT, STDERR)) {
      var reached = 0L;
      for (var event : life.events) {
        if (event instanceof TaskEvent.Output it && it.stream() == stream) {
          assertThat(it.offset()).isEqualTo(reached);
          reached += it.bytes();
        }
      }
      assertThat(life.pending.end(stream, reached)).isEqualTo(life.written(stream));
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 11200", "100000, 107000"})
  void a_server_that_logs_each_second_for_a_week_passes_its_limit_slowly(
      long framesMax, int framesAtMost) {
    var life = new Life(framesMax);
    var week = (int) Duration.ofDays(7).toSeconds();
    for (var second = 0; second < week; second++) {
      life.nowMs += 1_000;
      life.submit(report(life.write(STDOUT, 60)));
    }

    assertThat(life.events).hasSizeBetween((int) framesMax, framesAtMost);
    tiles(life);
    var late = Duration.ZERO;
    for (var i = 4; i < life.events.size(); i++) {
      var gap = Duration.ofMillis(life.shownAtMs.get(i) - life.shownAtMs.get(i - 1));
      late = gap.compareTo(late) > 0 ? gap : late;
    }
    assertThat(late).isEqualTo(MergeInterval.MAX);
  }
}
