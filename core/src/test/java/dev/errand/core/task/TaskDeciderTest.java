package dev.errand.core.task;

import static dev.errand.core.task.Given.given;
import static dev.errand.core.task.LogStream.STDERR;
import static dev.errand.core.task.LogStream.STDOUT;
import static dev.errand.core.task.Samples.CLAIM;
import static dev.errand.core.task.Samples.ENDED_AT;
import static dev.errand.core.task.Samples.STARTED_AT;
import static dev.errand.core.task.Samples.asked;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.cancel;
import static dev.errand.core.task.Samples.covered;
import static dev.errand.core.task.Samples.ended;
import static dev.errand.core.task.Samples.exit;
import static dev.errand.core.task.Samples.hostLost;
import static dev.errand.core.task.Samples.log;
import static dev.errand.core.task.Samples.output;
import static dev.errand.core.task.Samples.preview;
import static dev.errand.core.task.Samples.spawned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.Command.OnRestart;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each command does that a caller, the scheduler or the recovery gives to a task. */
final class TaskDeciderTest {

  @Test
  void spawning_without_a_host_leaves_the_task_queued() {
    given().when(new TaskCommand.Spawn(Samples.spec(), null)).then(spawned());
  }

  @Test
  void spawning_with_a_host_records_the_first_attempt_in_the_same_breath() {
    given().when(new TaskCommand.Spawn(Samples.spec(), CLAIM)).then(spawned(), attempted(1));
  }

  @Test
  void an_id_is_spawned_once() {
    given(spawned())
        .when(new TaskCommand.Spawn(Samples.spec(), CLAIM))
        .thenRefused(ErrorCode.INVALID_REQUEST);
  }

  @Test
  void claiming_a_queued_task_records_its_next_attempt() {
    given(spawned()).when(CLAIM).then(attempted(1));
  }

  @Test
  void a_requeued_task_is_claimed_under_the_next_number() {
    given(spawned(), attempted(1), new TaskEvent.Requeued(1, "host_gone", List.of()))
        .when(CLAIM)
        .then(attempted(2));
  }

  @Test
  void claiming_a_claimed_task_does_nothing() {
    given(spawned(), attempted(1)).when(new TaskCommand.Claim.OnHost("host-b")).thenNothing();
  }

  @Test
  void cancelling_a_queued_task_ends_it_at_once() {
    given(spawned())
        .when(cancel())
        .then(
            asked(),
            new TaskEvent.Cancelled("enough", "ann", 0),
            ended(new End.Cancelled("enough", "ann", null, ENDED_AT)));
  }

  @Test
  void cancelling_a_task_that_waits_for_its_second_attempt_counts_the_time_since_its_first() {
    given(spawned(), attempted(1), begun(), new TaskEvent.Requeued(1, "host_lost", List.of()))
        .when(cancel())
        .then(
            asked(),
            new TaskEvent.Cancelled("enough", "ann", ENDED_AT - STARTED_AT),
            ended(new End.Cancelled("enough", "ann", null, ENDED_AT)));
  }

  @Test
  void cancelling_a_claimed_task_is_a_request_until_its_host_has_answered() {
    given(spawned(), attempted(1)).when(cancel()).then(asked());
  }

  @Test
  void cancelling_a_running_task_is_a_request_until_its_process_is_proven_dead() {
    given(spawned(), attempted(1), begun()).when(cancel()).then(asked());
  }

  @Test
  void cancelling_twice_records_nothing_more() {
    given(spawned(), attempted(1)).when(cancel()).then(asked()).when(cancel()).thenNothing();
    given(spawned(), attempted(1), begun(), asked()).when(cancel()).thenNothing();
  }

  @Test
  void the_first_to_cancel_is_the_one_who_is_named() {
    var state =
        given(spawned(), attempted(1), begun(), asked())
            .when(new TaskCommand.Cancel("me too", "bob", ENDED_AT))
            .thenNothing()
            .state();

    assertThat(state)
        .isInstanceOfSatisfying(
            TaskState.Running.class,
            it ->
                assertThat(it.facts().cancel())
                    .isEqualTo(new TaskState.CancelRequest("enough", "ann")));
  }

  @Test
  void cancelling_what_is_over_does_no_harm() {
    given(spawned(), attempted(1), begun(), ended(new End.Exited(exit(0), ENDED_AT)))
        .when(cancel())
        .thenNothing();
  }

  @Test
  void a_host_that_left_before_it_began_puts_the_task_back_whatever_its_caller_allowed() {
    given(spawned(OnRestart.LOST), attempted(1))
        .when(new TaskCommand.HostLeft(1, ENDED_AT))
        .then(new TaskEvent.Requeued(1, "host_gone", List.of()));
  }

  @Test
  void a_host_that_left_before_it_began_leaves_a_cancelled_task_cancelled() {
    given(spawned(), attempted(1), asked())
        .when(new TaskCommand.HostLeft(1, ENDED_AT))
        .then(
            new TaskEvent.Cancelled("enough", "ann", 0),
            ended(new End.Cancelled("enough", "ann", null, ENDED_AT)));
  }

  @Test
  void who_left_is_asked_only_about_the_current_attempt() {
    given(spawned(), attempted(1), new TaskEvent.Requeued(1, "x", List.of()), attempted(2))
        .when(new TaskCommand.HostLeft(1, ENDED_AT))
        .thenNothing();
  }

  @Test
  void a_lost_host_loses_its_task() {
    given(spawned(), attempted(1), begun())
        .when(hostLost(List.of(5L), List.of()))
        .then(ended(new End.Lost(List.of(5L), List.of(), ENDED_AT)));
  }

  @Test
  void a_lost_task_keeps_its_logs_as_artifacts() {
    given(spawned(), attempted(1), begun(), output(3, STDOUT, 0, 10))
        .when(hostLost(List.of(), List.of(), log(STDOUT, 10), log(STDERR, 0)))
        .then(
            new TaskEvent.ArtifactWritten(log(STDOUT, 10)),
            ended(new End.Lost(List.of(), List.of(), ENDED_AT)));
  }

  @Test
  void a_lost_task_shows_the_rest_of_its_logs_before_its_end() {
    given(spawned(), attempted(1), begun(), output(3, STDOUT, 0, 10))
        .when(hostLost(List.of(), List.of(), log(STDOUT, 30)))
        .then(
            covered(3, STDOUT, 10, 20),
            new TaskEvent.ArtifactWritten(log(STDOUT, 30)),
            ended(new End.Lost(List.of(), List.of(), ENDED_AT)));
  }

  @Test
  void a_lost_host_requeues_where_the_caller_allowed_it() {
    given(spawned(OnRestart.REQUEUE), attempted(1), begun())
        .when(hostLost(List.of(5L), List.of()))
        .then(new TaskEvent.Requeued(1, "host_lost", List.of(5L)));
  }

  @Test
  void a_requeue_shows_all_of_the_log_so_that_the_next_attempt_writes_behind_it() {
    given(spawned(OnRestart.REQUEUE), attempted(1), begun(), output(3, STDOUT, 0, 10))
        .when(hostLost(List.of(), List.of(), log(STDOUT, 30)))
        .then(covered(3, STDOUT, 10, 20), new TaskEvent.Requeued(1, "host_lost", List.of()));
  }

  @Test
  void a_survivor_forbids_to_run_the_task_again() {
    given(spawned(OnRestart.REQUEUE), attempted(1), begun())
        .when(hostLost(List.of(), List.of(6L)))
        .then(ended(new End.Lost(List.of(), List.of(6L), ENDED_AT)));
  }

  @Test
  void a_lost_task_that_was_to_be_cancelled_is_cancelled_and_not_run_again() {
    given(spawned(OnRestart.REQUEUE), attempted(1), begun(), asked())
        .when(hostLost(List.of(5L), List.of()))
        .then(
            new TaskEvent.Cancelled("enough", "ann", ENDED_AT - STARTED_AT),
            ended(new End.Cancelled("enough", "ann", null, ENDED_AT)));
  }

  @Test
  void a_lost_task_with_a_survivor_is_not_called_cancelled() {
    given(spawned(), attempted(1), begun(), asked())
        .when(hostLost(List.of(), List.of(6L)))
        .then(ended(new End.Lost(List.of(), List.of(6L), ENDED_AT)));
  }

  @Test
  void a_tail_behind_the_last_record_becomes_output_with_its_preview() {
    var tail = new TaskCommand.Index.Tail(STDOUT, 10, 5, preview(5));

    given(spawned(), attempted(1), begun(), output(3, STDOUT, 0, 10))
        .when(new TaskCommand.Index(1, List.of(tail)))
        .then(new TaskEvent.Output(3, STDOUT, 10, 5, 15, null, preview(5)));
  }

  @Test
  void a_tail_is_indexed_once() {
    var index =
        new TaskCommand.Index(1, List.of(new TaskCommand.Index.Tail(STDERR, 0, 5, preview(5))));

    given(spawned(), attempted(1), begun()).when(index).after().when(index).thenNothing();
  }

  @Test
  void a_tail_behind_bytes_that_were_passed_over_covers_them_too() {
    var tail = new TaskCommand.Index.Tail(STDOUT, 10, 5, preview(5));

    given(spawned(), attempted(1), begun(), output(3, STDOUT, 0, 4))
        .when(new TaskCommand.Index(1, List.of(tail)))
        .then(covered(3, STDOUT, 4, 11));
  }

  @Test
  void an_empty_tail_is_no_output() {
    var tail = new TaskCommand.Index.Tail(STDOUT, 0, 0, Preview.NONE);

    given(spawned(), attempted(1), begun())
        .when(new TaskCommand.Index(1, List.of(tail)))
        .thenNothing();
  }

  @Test
  void bytes_that_a_crash_took_are_counted_once() {
    var lost = new TaskCommand.OutputLost(STDOUT, 4, 10);
    var after =
        given(spawned(), attempted(1), begun(), output(3, STDOUT, 0, 10))
            .when(lost)
            .then(new TaskEvent.OutputLost(STDOUT, 4, 10));

    assertThat(((TaskState.Running) after.state()).facts().logs().of(STDOUT).bytesStored())
        .isEqualTo(4);
    after.when(lost).thenNothing();
  }

  @Test
  void a_crash_takes_no_more_than_there_was() {
    given(spawned(), attempted(1), begun(), output(3, STDOUT, 0, 10))
        .when(new TaskCommand.OutputLost(STDOUT, 8, 99))
        .then(new TaskEvent.OutputLost(STDOUT, 8, 10));
    given(spawned(), attempted(1), begun())
        .when(new TaskCommand.OutputLost(STDOUT, 8, 99))
        .thenNothing();
  }

  @Test
  void an_artifact_of_fewer_bytes_than_were_seen_says_how_many_are_gone() {
    var last = new LogEnd(STDOUT, 6, 6, 1, Samples.DIGEST, List.of(new LogEnd.Extent(0, 6)));
    var state =
        given(spawned(), attempted(1), begun(), output(3, STDOUT, 0, 10))
            .when(hostLost(List.of(), List.of(), last))
            .after()
            .state();

    var log = ((TaskState.Ended) state).facts().logs().of(STDOUT);
    assertThat(log.bytesTotal()).isEqualTo(10);
    assertThat(log.bytesStored()).isEqualTo(6);
    assertThat(log.truncated()).isTrue();
  }
}
