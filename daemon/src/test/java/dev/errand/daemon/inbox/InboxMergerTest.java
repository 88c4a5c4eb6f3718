package dev.errand.daemon.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.session.Notice;
import dev.errand.daemon.engine.EngineFixture;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inboxes that get too long. */
final class InboxMergerTest {
  private static final int MAX = 10;

  private final EngineFixture fixture = new EngineFixture();
  private final InboxMerger merger = new InboxMerger(fixture.engine, fixture.journal, MAX);

  @BeforeEach
  void start() {
    fixture.engine.subscribe(merger);
    merger.start();
  }

  @AfterEach
  void stop() {
    merger.close();
  }

  @Test
  void hits_of_a_watcher_are_merged_and_none_is_lost() {
    var taskId = InboxFixture.watched(fixture);
    for (var i = 0; i < 100; i++) {
      InboxFixture.hit(fixture, taskId, "line " + i);
    }
    await().until(() -> unread().size() <= MAX);
    fixture.engine.submit(taskId, EngineFixture.cancel(), null);

    await().untilAsserted(() -> assertThat(count()).isEqualTo(100));
    var views = InboxFixture.views(fixture);
    assertThat(views.json(unread().getLast()).path("summary").stringValue()).isEqualTo("line 99");
  }

  @Test
  void ten_equal_hits_are_one_notice_with_a_count() {
    var taskId = InboxFixture.watched(fixture);
    InboxFixture.hit(fixture, taskId, "other");
    for (var i = 0; i < 10; i++) {
      InboxFixture.hit(fixture, taskId, "the same");
    }

    assertThat(unread()).extracting(it -> it.notice().merged()).containsExactly(1, 10);
    assertThat(InboxFixture.views(fixture).json(unread().getLast()).path("text").stringValue())
        .contains("saw the event \"seen\", seen 10 times.\nSummary: the same\n");
  }

  @Test
  void one_for_each_task_stays_however_many_there_are() {
    for (var i = 0; i < 3 * MAX; i++) {
      fixture.ended();
    }

    await().untilAsserted(() -> assertThat(unread()).hasSize(3 * MAX));
    assertThat(unread()).allMatch(it -> it.notice().kind() == Notice.Kind.ENDED);
  }

  @Test
  void an_inbox_that_cannot_be_shortened_is_not_read_again_for_every_few_notices() {
    var read = 0L;
    var unread = (long) MAX;
    while (unread < 1_000_000) {
      unread += 1 + InboxMerger.room(unread, MAX);
      read += unread;
    }

    assertThat(read).isLessThan(4 * unread);
    assertThat(InboxMerger.room(3, MAX)).isEqualTo(MAX - 3);
  }

  private int count() {
    return unread().stream().mapToInt(it -> it.notice().merged()).sum();
  }

  private List<NoticeEntry> unread() {
    return fixture.journal.notices(
        new NoticeQuery(EngineFixture.SESSION, Cursor.START, false, 1_000));
  }
}
