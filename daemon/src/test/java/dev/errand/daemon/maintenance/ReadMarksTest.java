package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.inbox.Bell;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.task.ResultReads.Reader;
import dev.errand.wire.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reading results, as far as inboxes see it. */
final class ReadMarksTest {
  private static final Reader OWN = new Reader("ann", EngineFixture.SESSION);
  private static final Reader FOREIGN = new Reader("cli", new SessionId("cli"));

  private final EngineFixture fixture = new EngineFixture();

  @Test
  void a_result_that_was_read_is_told_no_more_and_others_are() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var read = fixture.ended();
      fixture.ended();
      marks.read(read, OWN);
      marks.settle();

      assertThat(unread()).isEqualTo(1);
      assertThat(readAt(read)).isPositive();
    }
  }

  @Test
  void a_damaged_row_is_whole_again_when_its_result_was_read() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var read = fixture.ended();
      var before = fixture.journal.row(read).orElseThrow();
      fixture.journal.damageRow(read);
      marks.read(read, OWN);
      marks.settle();

      var row = fixture.journal.row(read).orElseThrow();
      assertThat(row.statusText()).isEqualTo(before.statusText());
      assertThat(row.foldVersion()).isEqualTo(before.foldVersion());
      assertThat(readAt(read)).isPositive();
    }
  }

  @Test
  void results_that_are_read_one_after_the_other_share_a_commit() throws InterruptedException {
    var untilSettled = Duration.ofMinutes(1);
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock, untilSettled)) {
      var first = fixture.ended();
      var second = fixture.ended();
      var commits = new ArrayList<Batch>();
      fixture.journal.beforeCommit(commits::add);
      marks.start();
      marks.read(first, OWN);
      marks.read(second, OWN);
      marks.settle();

      assertThat(commits)
          .hasSize(1)
          .first()
          .satisfies(it -> {
            assertThat(it.rows()).extracting(TaskRow::id).containsExactly(first, second);
            assertThat(it.lazy()).as("a mark that is lost costs nothing").isTrue();
          });
    }
  }

  @Test
  void what_waits_at_the_end_is_marked() {
    var read = fixture.ended();
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      marks.read(read, OWN);
    }

    assertThat(readAt(read)).isPositive();
  }

  @Test
  void a_task_that_runs_on_has_no_result_to_read() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var held = fixture.held(9_000);
      marks.read(held, OWN);
      marks.settle();

      assertThat(unread()).isEqualTo(1);
      assertThat(readAt(held)).isZero();
    }
  }

  @Test
  void who_reads_for_another_session_takes_nothing_from_this_one() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var read = fixture.ended();
      marks.read(read, FOREIGN);
      marks.settle();
      assertThat(unread()).isEqualTo(1);
      assertThat(readAt(read)).as("its retention counts all the same").isPositive();

      marks.answering(fixture.journal.row(read).orElseThrow(), OWN).done(true);
      marks.settle();
      assertThat(unread()).isZero();
      assertThat(types()).containsExactly("task_result_read", "notice_acknowledged");

      marks.answering(fixture.journal.row(read).orElseThrow(), OWN).done(true);
      marks.settle();
      assertThat(types()).hasSize(2);
    }
  }

  @Test
  void a_task_that_cannot_be_marked_takes_no_other_mark_with_it() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      var refused = fixture.ended();
      var other = fixture.ended();
      fixture.journal.beforeCommit(batch -> {
        if (batch.rows().stream().anyMatch(it -> it.id().equals(refused))) {
          throw new IllegalStateException("task " + refused + " was removed");
        }
      });
      marks.read(refused, OWN);
      marks.read(other, OWN);
      marks.start();
      marks.settle();

      assertThat(unread()).isEqualTo(1);
      assertThat(readAt(other)).isPositive();
    }
  }

  @Test
  void what_was_read_and_then_removed_at_once_is_told_no_more() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      var own = fixture.ended();
      var foreign = fixture.ended();
      marks.read(own, OWN);
      marks.read(foreign, FOREIGN);
      fixture.engine.remove(own, "cleared away", "ann", null).orThrow();
      fixture.engine.remove(foreign, "cleared away", "ann", null).orThrow();
      marks.start();
      marks.settle();

      assertThat(unread()).as("of what only another session has read").isEqualTo(1);
    }
  }

  @Test
  void an_end_that_someone_waits_for_is_told_to_that_one_first() throws Exception {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var inbox = new Inbox(fixture.engine, fixture.journal, marks, new Bell(), fixture.clock);
      var query = new NoticeQuery(EngineFixture.SESSION, Cursor.START, false, 10);
      var taskId = fixture.ended();
      var heard = marks.awaited(taskId);
      var page = CompletableFuture.supplyAsync(() -> read(inbox, query));
      assertThat(page).isNotDone();
      marks.read(taskId, OWN);
      heard.close();

      assertThat(page.join()).isEmpty();

      var lost = fixture.journal.row(fixture.ended()).orElseThrow();
      marks.answering(lost, OWN).done(false);
      assertThat(inbox.read(query)).as("nobody was there to hear of it").hasSize(1);
    }
  }

  @Test
  void an_inbox_waits_for_all_who_wait_for_one_end() throws Exception {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var inbox = new Inbox(fixture.engine, fixture.journal, marks, new Bell(), fixture.clock);
      var query = new NoticeQuery(EngineFixture.SESSION, Cursor.START, false, 10);
      var taskId = fixture.ended();
      var first = marks.awaited(taskId);
      var second = marks.awaited(taskId);
      second.close();
      var page = CompletableFuture.supplyAsync(() -> read(inbox, query));
      assertThat(page).isNotDone();
      marks.read(taskId, OWN);
      first.close();

      assertThat(page.join()).isEmpty();
    }
  }

  private static List<NoticeEntry> read(Inbox inbox, NoticeQuery query) {
    try {
      return inbox.read(query);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
