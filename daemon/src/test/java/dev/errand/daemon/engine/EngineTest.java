package dev.errand.daemon.engine;

import static dev.errand.daemon.engine.EngineFixture.DIGEST;
import static dev.errand.daemon.engine.EngineFixture.SESSION;
import static dev.errand.daemon.engine.EngineFixture.cancel;
import static dev.errand.daemon.engine.EngineFixture.exited;
import static dev.errand.daemon.engine.EngineFixture.guard;
import static dev.errand.daemon.engine.EngineFixture.key;
import static dev.errand.daemon.engine.EngineFixture.output;
import static dev.errand.daemon.engine.EngineFixture.report;
import static dev.errand.daemon.engine.EngineFixture.signalled;
import static dev.errand.daemon.engine.EngineFixture.spec;
import static dev.errand.daemon.engine.EngineFixture.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.errand.core.engine.Engine.Submission;
import dev.errand.core.engine.Outcome;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class EngineTest {
  private final EngineFixture at = new EngineFixture();

  @Test
  void the_state_moves_and_others_are_told_only_after_the_commit() {
    var taskId = at.claimed();
    var before = at.engine.snapshot(taskId);
    var during = new ArrayList<Snapshot>();
    at.journal.beforeCommit(_ -> {
      during.add(at.engine.snapshot(taskId));
      during.addAll(at.engine.live());
      assertThat(at.toldSeqs(taskId)).containsExactly(0L, 1L);
    });

    var after = at.engine.submit(taskId, report(started()), null).orThrow();

    assertThat(during).containsExactly(before, before);
    assertThat(after.state()).isInstanceOf(TaskState.Running.class);
    assertThat(at.engine.snapshot(taskId)).isEqualTo(after);
    assertThat(at.toldSeqs(taskId)).containsExactly(0L, 1L, 2L);
    assertThat(at.told.moves).last().isEqualTo(after);
  }

  @Test
  void a_task_is_told_as_it_stood_after_any_of_its_frames() {
    var taskId = at.ids.nextTask();
    var then = new ArrayList<Snapshot>();
    then.add(
        at.engine
            .spawn(taskId, new TaskCommand.Spawn(spec(), EngineFixture.CLAIM), null)
            .orThrow());
    for (var fact : List.of(started(), output(2, 0, 10), exited(3, 10))) {
      then.add(at.engine.submit(taskId, report(fact), null).orThrow());
    }

    for (var snapshot : then) {
      var told = at.engine.snapshot(taskId, snapshot.lastSeq());
      assertThat(told.state()).isEqualTo(snapshot.state());
      assertThat(told.lastSeq()).isEqualTo(snapshot.lastSeq());
    }
    assertThat(at.engine.snapshot(taskId, 1_000)).isEqualTo(at.engine.snapshot(taskId));
  }

  @Test
  void a_failed_commit_leaves_the_state_as_it_was_and_tells_nobody() {
    var taskId = at.claimed();
    var before = at.engine.snapshot(taskId);
    failCommits();

    assertJournalFailed(() -> at.engine.submit(taskId, report(started()), null));

    assertThat(at.engine.snapshot(taskId)).isEqualTo(before);
    assertThat(at.engine.live()).containsExactly(before);
    assertThat(at.toldSeqs(taskId)).containsExactly(0L, 1L);
    at.journal.beforeCommit(_ -> {});
    at.engine.submit(taskId, report(started()), null).orThrow();
    assertThat(at.toldSeqs(taskId)).containsExactly(0L, 1L, 2L);
  }

  @Test
  void a_spawn_that_could_not_be_committed_leaves_nothing_behind() {
    var taskId = at.ids.nextTask();
    failCommits();

    assertJournalFailed(
        () -> at.engine.submit(taskId, new TaskCommand.Spawn(spec(), null), guard("k")));

    assertThat(at.state(taskId)).isInstanceOf(TaskState.Absent.class);
    assertThat(at.engine.live()).isEmpty();
    assertThat(at.journal.reply(key("k"))).isEmpty();
  }

  @Test
  void a_command_that_changes_nothing_commits_nothing() {
    var taskId = at.running();
    var commits = at.journal.committed().size();

    var outcome = at.engine.submit(taskId, report(started()), null);

    assertThat(outcome)
        .isInstanceOfSatisfying(Outcome.Accepted.class, it -> assertThat(it.changed()).isFalse());
    assertThat(at.journal.committed()).hasSize(commits);
  }

  @Test
  void a_task_that_begins_is_not_looked_for_and_never_begins_twice() {
    var taskId = at.ids.nextTask();

    at.engine.spawn(taskId, new TaskCommand.Spawn(spec(), null), null).orThrow();

    assertThat(at.journal.reads()).isZero();
    assertThat(at.engine.isLive(taskId)).isTrue();
    assertThat(at.engine.spawn(taskId, new TaskCommand.Spawn(spec(), null), null))
        .isInstanceOf(Outcome.Refused.class);
    var over = at.ended();
    assertThat(at.engine.isLive(over)).isFalse();
    assertThatIllegalStateException()
        .as("although it is not in memory any more")
        .isThrownBy(() -> at.engine.spawn(over, new TaskCommand.Spawn(spec(), null), null));
  }

  @Test
  void only_what_ends_with_the_machine_anyway_may_be_told_before_it_is_synced() {
    var taskId = at.claimed();
    var other = at.running();

    at.engine.submitAll(List.of(new Submission(taskId, report(started(), output(3, 0, 10)))));
    at.engine.submitAll(List.of(new Submission(taskId, report(output(4, 10, 1), signalled(5)))));
    at.engine.submitAll(
        List.of(
            new Submission(taskId, report(output(6, 11, 1))),
            new Submission(other, report(exited(3, 0)))));

    assertThat(at.journal.committed())
        .extracting(Batch::lazy)
        .as("two spawns, a start alone, a start with output, a signal behind output, an end")
        .containsExactly(false, false, false, true, false, false);
  }

  @Test
  void frames_row_and_reply_are_committed_together() {
    var taskId = at.ids.nextTask();

    at.engine.submit(taskId, new TaskCommand.Spawn(spec(), null), guard("k")).orThrow();

    var batch = onlyBatch();
    assertThat(batch.appends()).hasSize(1);
    assertThat(batch.rows()).extracting(it -> it.id()).containsExactly(taskId);
    assertThat(batch.replies()).extracting(RememberedReply::taskId).containsExactly(taskId);
    assertThat(reply("k")).isEqualTo("yes");
  }

  @Test
  void output_leaves_the_row_alone_and_an_end_links_its_artifacts() {
    var taskId = at.running();

    at.engine.submit(taskId, report(output(3, 0, 10)), null).orThrow();
    assertThat(at.journal.committed().getLast().rows()).isEmpty();
    at.engine.submit(taskId, report(exited(4, 10)), null).orThrow();

    var row = at.journal.row(taskId).orElseThrow();
    assertThat(row.active()).isFalse();
    assertThat(row.lifetime().endedAtMs()).isEqualTo(2_000);
    assertThat(row.lifetime().bytesStored()).isEqualTo(10);
    assertThat(at.journal.artifactLinks(DIGEST)).extracting(it -> it.taskId()).contains(taskId);
  }

  @Test
  void a_refusal_for_good_is_remembered() {
    var unknown = at.ids.nextTask();

    at.engine.submit(unknown, cancel(), guard("cancel"));
    at.engine.remove(unknown, "done", "ann", guard("remove"));

    assertThat(reply("cancel")).isEqualTo("TASK_NOT_FOUND");
    assertThat(reply("remove")).isEqualTo("TASK_NOT_FOUND");
  }

  @Test
  void a_refusal_that_time_may_change_is_not_remembered() {
    var taskId = at.running();

    var outcome = at.engine.remove(taskId, "done", "ann", guard("k"));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Refused.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.TASK_NOT_ENDED));
    assertThat(at.journal.reply(key("k"))).isEmpty();
    assertThat(at.state(taskId)).isInstanceOf(TaskState.Running.class);
  }

  @Test
  void an_ended_task_is_removed_with_all_that_it_kept() {
    var taskId = at.ended();

    at.engine.remove(taskId, "done", "ann", guard("k")).orThrow();

    assertThat(at.state(taskId)).isInstanceOf(TaskState.Absent.class);
    assertThat(at.journal.row(taskId)).isEmpty();
    assertThat(at.journal.artifactLinks(DIGEST)).isEmpty();
    assertThat(at.journal.tombstone(taskId).orElseThrow().reason()).isEqualTo("done");
    assertThat(reply("k")).isEqualTo("yes");
    assertThat(at.told.removals).containsExactly(taskId);
    assertThat(at.told.frames.get(StreamKey.of(SESSION))).hasSize(1);
  }

  @Test
  void a_removal_that_could_not_be_committed_leaves_the_task() {
    var taskId = at.ended();
    failCommits();

    assertJournalFailed(() -> at.engine.remove(taskId, "done", "ann", null));

    assertThat(at.state(taskId)).isInstanceOf(TaskState.Ended.class);
    assertThat(at.told.removals).isEmpty();
  }

  @Test
  void many_tasks_move_in_one_commit() {
    var first = at.claimed();
    var second = at.claimed();
    var commits = at.journal.committed().size();

    at.engine.submitAll(
        Stream.of(second, at.ids.nextTask(), first)
            .map(it -> new Submission(it, report(started())))
            .toList());

    assertThat(at.journal.committed()).hasSize(commits + 1);
    assertThat(at.state(first)).isInstanceOf(TaskState.Running.class);
    assertThat(at.state(second)).isInstanceOf(TaskState.Running.class);
    assertThat(at.engine.live()).hasSize(2);
  }

  @Test
  void many_tasks_stay_where_they_were_when_their_commit_fails() {
    var tasks = List.of(at.claimed(), at.claimed(), at.running());
    var before = tasks.stream().map(at.engine::snapshot).toList();
    failCommits();

    assertJournalFailed(() -> at.engine.submitAll(all(tasks, report(started(), signalled(3)))));

    assertThat(tasks.stream().map(at.engine::snapshot)).isEqualTo(before);
    assertThat(tasks.stream().map(it -> at.toldSeqs(it).size())).containsExactly(2, 2, 3);
  }

  @Test
  void several_commands_for_one_task_are_decided_one_after_the_other() {
    var taskId = at.claimed();
    var commits = at.journal.committed().size();

    at.engine.submitAll(
        List.of(
            new Submission(taskId, report(started())),
            new Submission(taskId, cancel()),
            new Submission(taskId, report(started(), signalled(3))),
            new Submission(taskId, cancel())));

    assertThat(at.journal.committed()).hasSize(commits + 1);
    assertThat(at.toldSeqs(taskId)).containsExactly(0L, 1L, 2L, 3L, 4L);
    var state = (TaskState.Running) at.state(taskId);
    assertThat(state.attempt().lastRecord()).isEqualTo(3);
    assertThat(at.open().snapshot(taskId).state()).isEqualTo(state);
  }

  @Test
  void a_listener_with_a_bug_does_not_hold_back_what_is_committed() {
    var tasks = List.of(at.claimed(), at.claimed());
    at.told.failing = true;

    at.engine.submitAll(all(tasks, report(started())));

    at.told.failing = false;
    assertThat(at.listenerFailures).hasSize(2).hasOnlyElementsOfType(IllegalStateException.class);
    assertThat(tasks.stream().map(at::state))
        .allSatisfy(it -> assertThat(it).isInstanceOf(TaskState.Running.class));
    at.engine.submitAll(all(tasks, report(signalled(3))));
  }

  @Test
  void only_tasks_that_are_not_over_are_kept_in_memory() {
    var live = at.running();
    var over = at.ended();
    var unknown = at.ids.nextTask();

    assertThat(at.engine.live()).extracting(Snapshot::taskId).containsExactly(live);
    assertThat(readsFor(live)).as("kept").isZero();
    assertThat(readsFor(over)).as("folded anew").isEqualTo(2);
    assertThat(readsFor(unknown)).as("looked for anew").isEqualTo(2);
  }

  @Test
  void an_engine_that_opens_the_journal_again_folds_to_the_same() {
    var tasks = List.of(at.queued(), at.claimed(), at.running(), at.ended(), at.ids.nextTask());
    at.engine.submit(tasks.get(1), cancel(), null).orThrow();
    var before = tasks.stream().map(at.engine::snapshot).toList();

    var again = at.open();

    assertThat(tasks.stream().map(again::snapshot)).isEqualTo(before);
    assertThat(again.live()).hasSize(3);
    assertThatExceptionOfType(ErrandException.class)
        .isThrownBy(() -> at.engine.submit(tasks.getFirst(), cancel(), null))
        .satisfies(it -> assertThat(it.code()).isEqualTo(ErrorCode.FENCED));
  }

  @Test
  void a_long_task_is_folded_over_all_its_pages() {
    var taskId = at.running();
    for (var n = 3; n < 1_100; n++) {
      at.engine.submit(taskId, report(signalled(n)), null).orThrow();
    }

    assertThat(at.open().snapshot(taskId)).isEqualTo(at.engine.snapshot(taskId));
  }

  @Test
  void a_notice_is_committed_with_its_frame_and_told_after() {
    var taskId = at.ended();

    var notices = at.told.notices;
    assertThat(notices).extracting(Notice::kind).containsExactly(Notice.Kind.ENDED);
    assertThat(notices.getFirst().subject().taskId()).isEqualTo(taskId);
    assertThat(notices.getFirst().seq()).isEqualTo(at.engine.snapshot(taskId).lastSeq());
    var batch = at.journal.committed().getLast();
    assertThat(batch.inbox()).containsExactly(new InboxChange.Arrived(notices.getFirst()));
    assertThat(batch.appends()).hasSize(1);
  }

  @Test
  void an_answer_withdraws_the_question_in_its_own_commit() {
    var approved = at.held(9_000);
    var denied = at.held(9_000);
    assertThat(at.journal.unacknowledged(SESSION)).isEqualTo(2);

    at.engine.submit(approved, new TaskCommand.Approve("ann"), null).orThrow();
    assertThat(at.journal.unacknowledged(SESSION)).isEqualTo(1);

    at.engine.submit(denied, new TaskCommand.Deny("no", "ann", 1), null).orThrow();
    var query = new NoticeQuery(SESSION, Cursor.START, false, 10);
    assertThat(at.journal.notices(query))
        .extracting(it -> it.notice().kind())
        .containsExactly(Notice.Kind.ENDED);
  }

  @Test
  void a_session_s_frames_are_counted_from_0_and_carry_what_else_is_to_be_true() {
    var event = new SessionEvent.ResultRead(at.ids.nextTask(), "ann");

    at.engine.record(SESSION, List.of(event, event), _ -> {});
    at.engine.record(SESSION, List.of(event), batch -> batch.reply(remembered()));

    assertThat(at.told.frames.get(StreamKey.of(SESSION)))
        .extracting(it -> it.seq())
        .containsExactly(0L, 1L, 2L);
    assertThat(at.journal.lastSeq(StreamKey.of(SESSION))).isEqualTo(2);
    assertThat(at.journal.committed().getLast().replies()).hasSize(1);
  }

  @Test
  void recording_nothing_commits_only_what_else_is_to_be_true() {
    at.engine.record(SESSION, List.of(), _ -> {});
    assertThat(at.journal.committed()).isEmpty();

    at.engine.record(SESSION, List.of(), batch -> batch.reply(remembered()));
    assertThat(onlyBatch().appends()).isEmpty();
    assertThat(at.told.frames).isEmpty();
  }

  private static List<Submission> all(List<TaskId> tasks, TaskCommand command) {
    return tasks.stream().map(it -> new Submission(it, command)).toList();
  }

  private static RememberedReply remembered() {
    return new RememberedReply(key("k"), "digest", new byte[0], null, 1);
  }

  private Batch onlyBatch() {
    assertThat(at.journal.committed()).hasSize(1);
    return at.journal.committed().getFirst();
  }

  private String reply(String key) {
    var reply = at.journal.reply(key(key)).orElseThrow().reply();
    return new String(reply, StandardCharsets.UTF_8);
  }

  private int readsFor(TaskId taskId) {
    var before = at.journal.reads();
    at.engine.snapshot(taskId);
    at.engine.snapshot(taskId);
    return at.journal.reads() - before;
  }

  private void failCommits() {
    at.journal.beforeCommit(_ -> {
      throw new ErrandException(ErrorCode.JOURNAL_FAILED, "the disk is gone");
    });
  }

  private static void assertJournalFailed(Runnable work) {
    assertThatExceptionOfType(ErrandException.class)
        .isThrownBy(work::run)
        .satisfies(it -> assertThat(it.code()).isEqualTo(ErrorCode.JOURNAL_FAILED));
  }
}
