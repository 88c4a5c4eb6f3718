package dev.errand.daemon.engine;

import static dev.errand.daemon.engine.EngineFixture.SESSION;
import static dev.errand.daemon.engine.EngineFixture.exited;
import static dev.errand.daemon.engine.EngineFixture.output;
import static dev.errand.daemon.engine.EngineFixture.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Outcome;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.End;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.recovery.Recovery;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames of a task cannot be read any more when the next daemon starts. */
final class DamagedRecordTest {

  private final EngineFixture at = new EngineFixture();

  /** The engine of the daemon that runs now. */
  private Engine engine = at.engine;

  private Engine restarted() {
    engine = at.open();
    return engine;
  }

  private TaskState state(TaskId taskId) {
    return engine.snapshot(taskId).state();
  }

  private List<TaskId> unreadable() {
    return new Recovery(at.journal, restarted())
        .foldLive(List.of()).unreadable().stream().map(Recovery.Unreadable::taskId).toList();
  }

  @Test
  void a_task_that_is_with_a_host_goes_on_from_what_that_reports() {
    var taskId = at.running();
    engine.submit(taskId, report(output(3, 0, 10), output(4, 10, 10)), null).orThrow();
    at.journal.damage(taskId, 3L);

    assertThat(unreadable()).isEmpty();
    var running = (TaskState.Running) state(taskId);
    assertThat(running.attempt().lastRecord()).isEqualTo(4);
    assertThat(running.facts().logs().of(LogStream.STDOUT).bytesTotal()).isEqualTo(20);
    engine.submit(taskId, report(exited(5, 20)), null).orThrow();
    assertThat(state(taskId)).isInstanceOf(TaskState.Ended.class);
  }

  @Test
  void a_start_that_is_lost_leaves_the_task_with_its_host() {
    var taskId = at.running();
    engine.submit(taskId, report(output(3, 0, 10)), null).orThrow();
    at.journal.damage(taskId, 2L);

    assertThat(unreadable()).isEmpty();
    assertThat(state(taskId)).isInstanceOf(TaskState.Claimed.class);
    engine.submit(taskId, report(exited(4, 10)), null).orThrow();
    assertThat(state(taskId)).isInstanceOf(TaskState.Ended.class);
  }

  @Test
  void a_task_that_may_have_been_started_is_not_started_again() {
    var started = at.running();
    var queued = at.queued();
    at.journal.damage(started, 1L);

    assertThat(unreadable()).containsExactly(started);
    assertThat(state(started)).isInstanceOf(TaskState.Queued.class);
    assertThat(state(queued)).isInstanceOf(TaskState.Queued.class);

    engine.submit(started, new TaskCommand.RecordDamaged(1, List.of(5L), List.of(), 9), null);
    assertThat(state(started))
        .isInstanceOfSatisfying(
            TaskState.Ended.class,
            it -> assertThat(it.end()).isEqualTo(new End.Corrupt(1, List.of(5L), List.of(), 9)));
    assertThat(at.journal.row(started))
        .get()
        .extracting(TaskRow::status)
        .isEqualTo(StatusWord.FAILED);
    assertThat(at.told.notices).isNotEmpty();
  }

  /** The frames behind the first are gone, and nothing but the row tells that they were there. */
  @Test
  void a_row_that_knows_more_than_the_frames_makes_its_task_unreadable() {
    var queued = at.queued();
    var row = at.journal.row(queued).orElseThrow();
    commitRow(
        new TaskRow(
            queued,
            SESSION,
            row.label(),
            row.kind(),
            StatusWord.RUNNING,
            true,
            row.lifetime(),
            row.foldVersion(),
            row.statusText(),
            null,
            null,
            TaskRow.Outcome.NONE));

    assertThat(unreadable()).containsExactly(queued);
  }

  @Test
  void a_damaged_row_does_not_end_a_task_whose_frames_are_whole() {
    var taskId = at.running();
    var row = at.journal.row(taskId).orElseThrow();
    commitRow(
        new TaskRow(
            taskId,
            SESSION,
            row.label(),
            row.kind(),
            row.status(),
            false,
            row.lifetime(),
            TaskRow.DAMAGED,
            row.statusText(),
            null,
            null,
            TaskRow.Outcome.NONE));
    restarted();

    assertThat(state(taskId)).isInstanceOf(TaskState.Running.class);
  }

  private void commitRow(TaskRow row) {
    var fence = at.journal.takeOver("test");
    at.journal.commit(Batch.of(fence).row(row).build());
  }

  @Test
  void a_task_without_its_beginning_is_known_by_its_row() {
    var taskId = at.queued();
    at.journal.damage(taskId, 0L);

    assertThat(unreadable()).containsExactly(taskId);
    var known = ((TaskState.Queued) state(taskId)).facts();
    assertThat(known.spec().origin().sessionId()).isEqualTo(SESSION);
    assertThat(known.spec().origin().label()).isEqualTo("build");
    engine.submit(taskId, new TaskCommand.RecordDamaged(0, List.of(), List.of(), 9), null);
    assertThat(state(taskId)).isInstanceOf(TaskState.Ended.class);
  }

  @Test
  void a_task_that_is_to_be_started_without_its_beginning_is_not_started() {
    var taskId = at.claimed();
    at.journal.damage(taskId, 0L);

    assertThat(unreadable()).containsExactly(taskId);
    assertThat(engine.isDamaged(taskId)).isTrue();
  }

  @Test
  void a_task_that_runs_without_its_beginning_can_tell_of_any_stream_and_ends() {
    var taskId = at.running();
    at.journal.damage(taskId, 0L);

    assertThat(unreadable()).isEmpty();
    var terminal = new HostFact.Output(1, 3, LogStream.PTY, 0, 10, 5, Preview.NONE);
    engine.submit(taskId, report(terminal, exited(4, 10)), null).orThrow();
    assertThat(state(taskId)).isInstanceOf(TaskState.Ended.class);
  }

  @Test
  void a_task_that_is_over_stays_over_and_can_be_removed_whatever_is_left_of_it() {
    var taskId = at.ended();
    var lastSeq = at.journal.lastSeq(StreamKey.of(taskId));
    for (var seq = 0L; seq <= lastSeq; seq++) {
      at.journal.damage(taskId, seq);
      restarted();

      assertThat(state(taskId)).as("without frame %d", seq).isInstanceOf(TaskState.Ended.class);
    }
    assertThat(engine.remove(taskId, "asked", "ann", null)).isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void a_damaged_row_is_read_as_the_frames_say() {
    var taskId = at.ended();
    var before = at.journal.row(taskId).orElseThrow();
    at.journal.damageRow(taskId);

    assertThat(engine.row(taskId).orElseThrow().statusText()).isEqualTo(before.statusText());
    assertThat(engine.rows(TaskQuery.newest(1)))
        .singleElement()
        .satisfies(it -> assertThat(it.statusText()).isEqualTo(before.statusText()));
  }

  @Test
  void a_row_that_is_gone_is_made_anew() {
    var taskId = at.ended();
    var before = at.journal.row(taskId).orElseThrow();
    commitRow(before.readAt(7));

    restarted().restoreRow(taskId);

    var row = at.journal.row(taskId).orElseThrow();
    assertThat(row.statusText()).isEqualTo(before.statusText());
    assertThat(row.lifetime()).isEqualTo(before.lifetime());
  }
}
