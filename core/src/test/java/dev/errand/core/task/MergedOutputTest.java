package dev.errand.core.task;

import static dev.errand.core.task.Given.given;
import static dev.errand.core.task.LogStream.STDERR;
import static dev.errand.core.task.LogStream.STDOUT;
import static dev.errand.core.task.Samples.ENDED_AT;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.covered;
import static dev.errand.core.task.Samples.ended;
import static dev.errand.core.task.Samples.exit;
import static dev.errand.core.task.Samples.exitedFact;
import static dev.errand.core.task.Samples.log;
import static dev.errand.core.task.Samples.output;
import static dev.errand.core.task.Samples.outputFact;
import static dev.errand.core.task.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskSpec.OnRestart;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task near its limit of frames shows its output in few large ranges, and all of it. */
final class MergedOutputTest {
  private static final int FRAMES_MAX = 1_000;

  /** Nine tenths of the limit. */
  private static final int CROWDED_AT = 900;

  private static final long MEBIBYTE = 1024 * 1024;

  /** A task with so many frames, of one byte of output each behind the first three. */
  private static Given taskWithFrames(int frames) {
    var events = new ArrayList<TaskEvent>();
    events.add(new TaskEvent.Spawned(Samples.spec(OnRestart.LOST, FRAMES_MAX)));
    events.add(attempted(1));
    events.add(begun());
    while (events.size() < frames) {
      events.add(output(events.size(), STDOUT, events.size() - 3, 1));
    }
    return given(events.toArray(TaskEvent[]::new));
  }

  @Test
  void below_nine_tenths_of_the_limit_nothing_is_merged() {
    taskWithFrames(CROWDED_AT - 1)
        .when(report(outputFact(2_000, STDOUT, CROWDED_AT - 4, 1)))
        .then(output(2_000, STDOUT, CROWDED_AT - 4, 1));
  }

  @Test
  void merging_says_so_once_and_shows_what_it_has() {
    taskWithFrames(CROWDED_AT)
        .when(report(outputFact(2_000, STDERR, 0, 1), outputFact(2_001, STDERR, 1, 1)))
        .then(new TaskEvent.OutputMerged(2_000, CROWDED_AT), output(2_000, STDERR, 0, 1));
  }

  @Test
  void merged_output_appears_again_once_a_mebibyte_has_gathered() {
    taskWithFrames(CROWDED_AT)
        .when(report(outputFact(2_000, STDERR, 0, 1)))
        .after()
        .when(
            report(
                outputFact(2_001, STDERR, 1, 1),
                outputFact(2_002, STDERR, 2, MEBIBYTE - 2),
                outputFact(2_003, STDERR, MEBIBYTE, 1)))
        .then(covered(2_003, STDERR, 1, MEBIBYTE));
  }

  @Test
  void the_end_covers_what_was_passed_over() {
    taskWithFrames(CROWDED_AT)
        .when(report(outputFact(2_000, STDERR, 0, 1), outputFact(2_001, STDERR, 1, 8)))
        .after()
        .when(report(exitedFact(2_002, exit(0), log(STDERR, 9))))
        .then(
            covered(2_002, STDERR, 1, 8),
            new TaskEvent.ArtifactWritten(log(STDERR, 9)),
            ended(new End.Exited(exit(0), ENDED_AT)));
  }

  @Test
  void a_gap_covers_what_was_passed_over() {
    taskWithFrames(CROWDED_AT)
        .when(report(outputFact(2_000, STDERR, 0, 1), outputFact(2_001, STDERR, 1, 8)))
        .after()
        .when(report(new HostFact.Gap(1, 2_002, STDERR, 0, 5)))
        .then(covered(2_002, STDERR, 1, 4), new TaskEvent.OutputGap(2_002, STDERR, 0, 5));
  }

  @Test
  void a_crash_of_the_host_covers_what_was_passed_over() {
    var crowded =
        taskWithFrames(CROWDED_AT)
            .when(report(outputFact(2_000, STDERR, 0, 1), outputFact(2_001, STDERR, 1, 8)))
            .after();
    var tail = new TaskCommand.Index.Tail(STDERR, 9, 3, Samples.preview(3));

    crowded.when(new TaskCommand.Index(1, List.of(tail))).then(covered(2_000, STDERR, 1, 11));
    crowded
        .when(Samples.hostLost(List.of(), List.of(), log(STDERR, 12)))
        .then(
            covered(2_000, STDERR, 1, 11),
            new TaskEvent.ArtifactWritten(log(STDERR, 12)),
            ended(new End.Lost(List.of(), List.of(), ENDED_AT)));
  }

  @Test
  void output_alone_never_reaches_the_limit_and_yet_all_of_it_is_covered() {
    var given = taskWithFrames(3);
    var facts = new ArrayList<HostFact>();
    var size = 700 * 1024;
    for (var i = 0; i < 10 * FRAMES_MAX; i++) {
      facts.add(outputFact(3 + i, STDOUT, (long) i * size, size));
    }
    var total = (long) facts.size() * size;
    facts.add(exitedFact(3 + facts.size(), exit(0), log(STDOUT, total)));

    var when = given.when(new TaskCommand.Report(facts));

    assertThat(when.events()).hasSizeLessThan(FRAMES_MAX - 3);
    assertThat(when.events()).filteredOn(TaskEvent.OutputMerged.class::isInstance).hasSize(1);
    var reached = 0L;
    for (var event : when.events()) {
      if (event instanceof TaskEvent.Output it) {
        assertThat(it.offset()).isEqualTo(reached);
        reached += it.bytes();
      }
    }
    assertThat(reached).isEqualTo(total);
  }

  @Test
  void a_limit_of_any_size_is_understood() {
    var unlimited = new TaskEvent.Spawned(Samples.spec(OnRestart.LOST, Long.MAX_VALUE));
    var tiny = new TaskEvent.Spawned(Samples.spec(OnRestart.LOST, 1));

    given(unlimited, attempted(1), begun())
        .when(report(outputFact(3, STDOUT, 0, 1)))
        .then(output(3, STDOUT, 0, 1));
    given(tiny, attempted(1), begun())
        .when(report(outputFact(3, STDOUT, 0, 1), outputFact(4, STDOUT, 1, 2 * MEBIBYTE)))
        .then(new TaskEvent.OutputMerged(3, 3), output(3, STDOUT, 0, 1));
  }
}
