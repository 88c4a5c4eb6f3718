package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.journal.Batch;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.task.ResultReads.Reader;
import dev.errand.wire.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reading results, as far as inboxes see it. */
final class ReadMarksTest {
  private static final Reader OWN = new Reader("ann", EngineFixture.SESSION);
  private static final Reader FOREIGN = new Reader("cli", new SessionId("cli"));

  private final EngineFixture fixture = new EngineFixture();
  private final ReadMarks marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock);

  @AfterEach
  void close() {
    marks.close();
  }

  @Test
  void a_result_that_was_read_is_told_no_more_and_others_are() {
    var read = fixture.ended();
    fixture.ended();
    marks.read(read, OWN);

    assertThat(unread()).isEqualTo(1);
    assertThat(readAt(read)).isPositive();
  }

  @Test
  void a_damaged_row_is_whole_again_when_its_result_was_read() {
    var read = fixture.ended();
    var before = fixture.journal.row(read).orElseThrow();
    fixture.journal.damageRow(read);
    marks.read(read, OWN);

    var row = fixture.journal.row(read).orElseThrow();
    assertThat(row.statusText()).isEqualTo(before.statusText());
    assertThat(row.foldVersion()).isEqualTo(before.foldVersion());
    assertThat(readAt(read)).isPositive();
  }

  @Test
  void a_mark_waits_for_no_disk_and_is_made_once() {
    var read = fixture.ended();
    var commits = commits();
    marks.read(read, OWN);
    marks.read(read, OWN);

    assertThat(commits)
        .hasSize(1)
        .first()
        .satisfies(it -> {
          assertThat(it.rows()).extracting(TaskRow::id).containsExactly(read);
          assertThat(it.lazy()).as("a mark that is lost costs nothing").isTrue();
        });
  }

  @Test
  void an_answer_that_found_nobody_reads_nothing() {
    var lost = fixture.ended();
    marks.answering(fixture.journal.row(lost).orElseThrow(), OWN).done(false);

    assertThat(unread()).isEqualTo(1);
    assertThat(readAt(lost)).isZero();
  }

  @Test
  void a_task_that_runs_on_has_no_result_to_read() {
    var held = fixture.held(9_000);
    marks.read(held, OWN);

    assertThat(unread()).isEqualTo(1);
    assertThat(readAt(held)).isZero();
  }

  @Test
  void who_reads_for_another_session_takes_nothing_from_this_one() {
    var read = fixture.ended();
    marks.read(read, FOREIGN);
    assertThat(unread()).isEqualTo(1);
    assertThat(readAt(read)).as("its retention counts all the same").isPositive();

    marks.answering(fixture.journal.row(read).orElseThrow(), OWN).done(true);
    assertThat(unread()).isZero();
    assertThat(types()).containsExactly("task_result_read", "notice_acknowledged");

    marks.answering(fixture.journal.row(read).orElseThrow(), OWN).done(true);
    assertThat(types()).hasSize(2);
  }

  @Test
  void a_mark_that_cannot_be_recorded_is_no_failure_of_the_reader_and_comes_with_the_next() {
    var read = fixture.ended();
    var refuse = new ArrayList<>(List.of("once"));
    fixture.journal.beforeCommit(_ -> {
      if (!refuse.isEmpty()) {
        throw new IllegalStateException(refuse.removeFirst());
      }
    });
    marks.read(read, OWN);
    assertThat(unread()).isEqualTo(1);

    marks.read(read, OWN);
    assertThat(unread()).isZero();
  }

  @Test
  void what_was_read_and_removed_before_its_mark_is_told_no_more() {
    var own = fixture.ended();
    var foreign = fixture.ended();
    fixture.engine.remove(own, "cleared away", "ann", null).orThrow();
    fixture.engine.remove(foreign, "cleared away", "ann", null).orThrow();
    marks.read(own, OWN);
    marks.read(foreign, FOREIGN);

    assertThat(unread()).as("of what only another session has read").isEqualTo(1);
  }

  @Test
  void marks_that_come_together_are_one_commit_of_each_session() {
    var tasks = List.of(fixture.ended(), fixture.ended(), fixture.ended());
    var commits = commits();
    marks.start();
    tasks.forEach(it -> marks.read(it, OWN));
    marks.read(tasks.getFirst(), FOREIGN);
    await().until(() -> fixture.clock.waiting() == 1);
    assertThat(commits).isEmpty();

    fixture.clock.advance(Duration.ofSeconds(1));
    await().untilAsserted(() -> assertThat(commits).hasSize(1));
    assertThat(commits.getFirst().lazy()).isTrue();
    assertThat(commits.getFirst().rows()).extracting(TaskRow::id).containsExactlyElementsOf(tasks);
    await().untilAsserted(() -> assertThat(unread()).isZero());
  }

  @Test
  void marks_that_wait_are_made_when_it_closes_and_later_ones_by_the_reader() {
    var before = fixture.ended();
    var after = fixture.ended();
    marks.start();
    marks.read(before, OWN);
    marks.close();
    assertThat(readAt(before)).isPositive();

    marks.read(after, OWN);
    assertThat(readAt(after)).isPositive();
  }

  @Test
  void where_too_many_wait_the_reader_makes_its_own_mark() {
    var first = fixture.ended();
    var second = fixture.ended();
    var limits = new GatheringQueue.Limits(1, 10, Duration.ofSeconds(1));
    try (var full = new ReadMarks(fixture.engine, fixture.journal, fixture.clock, limits)) {
      full.start();
      full.read(first, OWN);
      full.read(second, OWN);

      assertThat(readAt(second)).isPositive();
      assertThat(readAt(first)).isZero();
    }
    assertThat(readAt(first)).isPositive();
  }

  @Test
  void one_mark_that_cannot_be_recorded_takes_no_other_with_it() {
    var refused = fixture.ended();
    var other = fixture.ended();
    fixture.journal.beforeCommit(batch -> {
      if (batch.rows().stream().anyMatch(it -> it.id().equals(refused))) {
        throw new IllegalStateException("removed meanwhile");
      }
    });
    marks.start();
    marks.read(refused, OWN);
    marks.read(other, OWN);
    marks.close();

    assertThat(readAt(other)).isPositive();
    assertThat(readAt(refused)).isZero();
  }

  private List<Batch> commits() {
    var commits = new CopyOnWriteArrayList<Batch>();
    fixture.journal.beforeCommit(commits::add);
    return commits;
  }

  private List<String> types() {
    return fixture.journal.read(StreamKey.of(EngineFixture.SESSION), -1, 100).stream()
        .map(it -> Json.read(it.bytes()).path("type").stringValue(""))
        .toList();
  }

  private long unread() {
    return fixture.journal.unacknowledged(EngineFixture.SESSION);
  }

  private long readAt(TaskId taskId) {
    return fixture.journal.row(taskId).orElseThrow().lifetime().readAtMs();
  }
}
