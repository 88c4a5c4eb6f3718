package dev.errand.core.task;

import static dev.errand.core.task.Given.given;
import static dev.errand.core.task.LogStream.STDERR;
import static dev.errand.core.task.LogStream.STDOUT;
import static dev.errand.core.task.Samples.ENDED_AT;
import static dev.errand.core.task.Samples.STARTED_AT;
import static dev.errand.core.task.Samples.asked;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.covered;
import static dev.errand.core.task.Samples.ended;
import static dev.errand.core.task.Samples.exit;
import static dev.errand.core.task.Samples.exitedFact;
import static dev.errand.core.task.Samples.killed;
import static dev.errand.core.task.Samples.log;
import static dev.errand.core.task.Samples.output;
import static dev.errand.core.task.Samples.outputFact;
import static dev.errand.core.task.Samples.report;
import static dev.errand.core.task.Samples.spawned;
import static dev.errand.core.task.Samples.startedFact;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the facts that a host wrote down. */
final class HostReportTest {
  private static final TaskEvent[] RUNNING = {spawned(), attempted(1), begun()};

  @Test
  void a_start_is_recorded_with_the_process_that_it_made() {
    given(spawned(), attempted(1)).when(report(startedFact(2))).then(begun());
  }

  @Test
  void each_fact_becomes_its_event_and_carries_its_number() {
    var write = new HostFact.StdinWrite("op1", 3, true, false, "YWJj", "cli");

    given(RUNNING)
        .when(
            report(
                outputFact(3, STDOUT, 0, 10),
                new HostFact.Stdin(1, 4, write),
                new HostFact.Signalled(1, 5, "op2", "INT", "ann"),
                new HostFact.LimitPassed(1, 6, "wall", 60_000),
                new HostFact.KillStep(1, 7, "term", "wall", List.of(4711L))))
        .then(
            output(3, STDOUT, 0, 10),
            new TaskEvent.StdinWritten(4, write),
            new TaskEvent.Signalled(5, "op2", "INT", "ann"),
            new TaskEvent.LimitPassed(6, "wall", 60_000),
            new TaskEvent.KillStepped(7, "term", "wall", List.of(4711L)));
  }

  @Test
  void what_the_disk_may_not_have_is_told_once_and_shown_before() {
    var lost = new HostFact.Lost(1, 4, STDOUT, 5, 30);

    given(RUNNING)
        .when(report(outputFact(3, STDOUT, 0, 10), lost, lost))
        .then(
            output(3, STDOUT, 0, 10),
            covered(4, STDOUT, 10, 20),
            new TaskEvent.OutputLost(STDOUT, 5, 30));
  }

  @Test
  void facts_that_are_recorded_already_are_passed_over() {
    given(RUNNING)
        .when(report(outputFact(3, STDOUT, 0, 10), outputFact(4, STDERR, 0, 5)))
        .after()
        .when(
            report(
                startedFact(2),
                outputFact(3, STDOUT, 0, 10),
                outputFact(4, STDERR, 0, 5),
                outputFact(5, STDERR, 5, 5)))
        .then(output(5, STDERR, 5, 5));
  }

  @Test
  void facts_of_an_older_attempt_are_passed_over() {
    given(spawned(), attempted(1), new TaskEvent.Requeued(1, "host_gone", List.of()), attempted(2))
        .when(report(startedFact(2), outputFact(3, STDOUT, 0, 10), exitedFact(4, exit(0))))
        .thenNothing();
  }

  @Test
  void facts_of_an_attempt_to_come_are_passed_over() {
    given(RUNNING)
        .when(report(new HostFact.Started(2, 2, Samples.PROCESS, STARTED_AT)))
        .thenNothing();
  }

  @Test
  void facts_behind_the_end_are_passed_over() {
    given(RUNNING)
        .when(report(exitedFact(3, exit(0)), outputFact(4, STDOUT, 0, 10)))
        .then(ended(new End.Exited(exit(0), ENDED_AT)));
  }

  @Test
  void the_next_attempt_writes_on_behind_the_output_of_the_one_before() {
    given(
            spawned(),
            attempted(1),
            begun(),
            output(3, STDOUT, 0, 10),
            new TaskEvent.Requeued(1, "host_lost", List.of()),
            attempted(2),
            begun(2))
        .when(report(new HostFact.Output(2, 3, STDOUT, 10, 5, 3, Samples.preview(5))))
        .then(output(3, STDOUT, 10, 5));
  }

  @Test
  void output_that_is_known_in_part_shows_only_what_is_new() {
    given(RUNNING)
        .when(report(outputFact(3, STDOUT, 0, 10), outputFact(4, STDOUT, 5, 10)))
        .then(output(3, STDOUT, 0, 10), covered(4, STDOUT, 10, 5));
  }

  @Test
  void output_that_is_known_already_shows_nothing() {
    given(RUNNING)
        .when(report(outputFact(3, STDOUT, 0, 10), outputFact(4, STDOUT, 0, 10)))
        .then(output(3, STDOUT, 0, 10));
  }

  @Test
  void a_gap_is_recorded_behind_the_bytes_that_it_takes() {
    given(RUNNING)
        .when(report(outputFact(3, STDOUT, 0, 10), new HostFact.Gap(1, 4, STDOUT, 5, 30)))
        .then(
            output(3, STDOUT, 0, 10),
            covered(4, STDOUT, 10, 20),
            new TaskEvent.OutputGap(4, STDOUT, 5, 30));
  }

  @Test
  void bytes_behind_a_gap_count_as_stored_without_it() {
    given(RUNNING)
        .when(
            report(
                outputFact(3, STDOUT, 0, 30),
                new HostFact.Gap(1, 4, STDOUT, 5, 15),
                outputFact(5, STDOUT, 30, 10)))
        .then(
            output(3, STDOUT, 0, 30),
            new TaskEvent.OutputGap(4, STDOUT, 5, 15),
            new TaskEvent.Output(5, STDOUT, 30, 10, 30, 5, Samples.preview(10)));
  }

  @Test
  void an_exit_comes_last_behind_the_rest_of_the_logs_and_their_artifacts() {
    given(RUNNING)
        .when(
            report(
                outputFact(3, STDOUT, 0, 10),
                exitedFact(4, exit(2), log(STDOUT, 12), log(STDERR, 0))))
        .then(
            output(3, STDOUT, 0, 10),
            covered(4, STDOUT, 10, 2),
            new TaskEvent.ArtifactWritten(log(STDOUT, 12)),
            ended(new End.Exited(exit(2), ENDED_AT)));
  }

  @Test
  void a_death_by_a_signal_that_nobody_here_sent_is_an_exit() {
    given(RUNNING)
        .when(report(exitedFact(3, killed(null))))
        .then(ended(new End.Exited(killed(null), ENDED_AT)));
  }

  @Test
  void a_kill_for_the_cancel_that_was_asked_ends_as_cancelled() {
    given(spawned(), attempted(1), begun(), asked())
        .when(report(exitedFact(3, killed("cancel"))))
        .then(
            new TaskEvent.Cancelled("enough", "ann", ENDED_AT - STARTED_AT),
            ended(new End.Cancelled("enough", "ann", killed("cancel"), ENDED_AT)));
  }

  @Test
  void a_kill_by_the_host_on_its_own_is_a_cancel_by_the_host() {
    given(RUNNING)
        .when(report(exitedFact(3, killed("cancel"))))
        .then(
            new TaskEvent.Cancelled("cancel", "host", ENDED_AT - STARTED_AT),
            ended(new End.Cancelled("cancel", "host", killed("cancel"), ENDED_AT)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"wall", "idle", "output"})
  void a_kill_for_a_limit_ends_by_that_limit(String limit) {
    given(RUNNING)
        .when(report(exitedFact(3, killed(limit))))
        .then(ended(new End.LimitPassed(limit, killed(limit), ENDED_AT)));
  }

  @Test
  void a_limit_that_was_passed_before_the_cancel_is_the_cause() {
    given(spawned(), attempted(1), begun(), asked())
        .when(report(exitedFact(3, killed("wall"))))
        .then(ended(new End.LimitPassed("wall", killed("wall"), ENDED_AT)));
  }

  @Test
  void a_cancel_that_came_too_late_leaves_the_exit_as_it_was() {
    given(spawned(), attempted(1), begun(), asked())
        .when(report(exitedFact(3, exit(0))))
        .then(ended(new End.Exited(exit(0), ENDED_AT)));
  }

  @Test
  void what_cannot_be_started_ends_with_the_reason() {
    given(spawned(), attempted(1))
        .when(report(new HostFact.NotStarted(1, 2, "not_found", "no such program", ENDED_AT)))
        .then(ended(new End.NotStarted("not_found", "no such program", ENDED_AT)));
  }

  @Test
  void what_was_to_be_cancelled_and_could_not_be_started_is_cancelled() {
    given(spawned(), attempted(1), asked())
        .when(report(new HostFact.NotStarted(1, 2, "not_found", "no such program", ENDED_AT)))
        .then(
            new TaskEvent.Cancelled("enough", "ann", 0),
            ended(new End.Cancelled("enough", "ann", null, ENDED_AT)));
  }

  @Test
  void an_attempt_that_its_host_was_told_to_forget_is_cancelled() {
    given(spawned(), attempted(1), asked())
        .when(report(new HostFact.Forgotten(1, 1, ENDED_AT)))
        .then(
            new TaskEvent.Cancelled("enough", "ann", 0),
            ended(new End.Cancelled("enough", "ann", null, ENDED_AT)));
  }
}
