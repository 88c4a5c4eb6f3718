package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.append;
import static dev.errand.testkit.JournalFixture.bytes;
import static dev.errand.testkit.JournalFixture.live;
import static dev.errand.testkit.JournalFixture.session;
import static dev.errand.testkit.JournalFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims about inboxes and memos. */
interface JournalInboxClaims extends JournalFixture {

  @Test
  default void a_notice_comes_back_as_it_was_stored() {
    var whole = notice("s", ids().nextTask(), Notice.Kind.WATCHER, "error");
    var bare = notice("s", ids().nextTask(), Notice.Kind.ENDED, null);
    arrived(whole, bare);

    assertThat(waiting("s")).extracting(NoticeEntry::notice).containsExactly(whole, bare);
    assertThat(waiting("s")).noneMatch(NoticeEntry::acknowledged);
    assertThat(waiting("other")).isEmpty();
  }

  @Test
  default void a_reader_goes_on_behind_its_cursor() {
    var first = arrived("s");
    var second = arrived("s");
    arrived("other");
    var third = arrived("s");

    var page = journal().notices(new NoticeQuery(session("s"), Cursor.START, false, 2));
    var rest = journal().notices(new NoticeQuery(session("s"), page.getLast().cursor(), false, 10));

    assertThat(idsOf(page)).containsExactly(first, second);
    assertThat(idsOf(rest)).containsExactly(third);
    assertThat(after(journal().lastNotice())).isEmpty();
    assertThat(after(rest.getLast().cursor())).isEmpty();
  }

  @Test
  default void a_refused_batch_stores_no_notice() {
    var task = ids().nextTask();
    var fence = journal().takeOver("a");
    var batch =
        Batch.of(fence)
            .inbox(new InboxChange.Arrived(notice("s", task, Notice.Kind.ENDED, null)))
            .append(append(task, 5, 1))
            .build();

    assertThatThrownBy(() -> journal().commit(batch)).isInstanceOf(IllegalStateException.class);
    assertThat(waiting("s")).isEmpty();
  }

  @Test
  default void what_is_acknowledged_is_shown_only_when_all_are_asked_for() {
    var first = arrived("s");
    var second = arrived("s");
    acknowledge("s", first, "unknown");
    acknowledge("s", first);

    assertThat(idsOf(waiting("s"))).containsExactly(second);
    assertThat(all("s")).extracting(NoticeEntry::acknowledged).containsExactly(true, false);
    assertThat(journal().unacknowledged(session("s"))).isEqualTo(1);
  }

  @Test
  default void nobody_acknowledges_for_another_session() {
    var id = arrived("s");
    acknowledge("other", id);

    assertThat(idsOf(waiting("s"))).containsExactly(id);
    assertThat(journal().unacknowledged(session("other"), List.of(id))).isEmpty();
  }

  @Test
  default void it_is_known_which_are_still_to_be_acknowledged() {
    var first = arrived("s");
    var second = arrived("s");
    var upTo = waiting("s").getLast().cursor();
    var third = arrived("s");
    acknowledge("s", first);

    assertThat(journal().unacknowledged(session("s"), List.of(third, first, "unknown", third)))
        .containsExactly(third);
    assertThat(journal().unacknowledged(session("s"), upTo)).containsExactly(second);
    assertThat(journal().unacknowledged(session("s"), journal().lastNotice()))
        .containsExactly(second, third);
  }

  @Test
  default void it_is_known_what_a_session_was_told_of_a_task() {
    var task = ids().nextTask();
    kept(task);
    var seen = notice("s", task, Notice.Kind.WATCHER, "error");
    var hit = notice("s", task, Notice.Kind.WATCHER, "error");
    var end = notice("s", task, Notice.Kind.ENDED, null);
    arrived(seen, hit, end);
    arrived("s");
    acknowledge("s", seen.id());

    assertThat(journal().unacknowledged(session("s"), task)).containsExactly(hit.id(), end.id());
    assertThat(journal().unacknowledged(session("other"), task)).isEmpty();
  }

  @Test
  default void what_is_withdrawn_is_told_no_more_and_the_rest_of_its_task_is() {
    var task = ids().nextTask();
    kept(task);
    var ended = notice("s", task, Notice.Kind.ENDED, null);
    arrived(notice("s", task, Notice.Kind.WAITING_FOR_INPUT, null), ended);
    commit(new InboxChange.Withdrawn(task, Notice.Kind.WAITING_FOR_INPUT, 7));

    assertThat(idsOf(waiting("s"))).containsExactly(ended.id());
    assertThat(all("s")).hasSize(2);
  }

  @Test
  default void merged_notices_leave_the_newest_with_their_count() {
    var task = ids().nextTask();
    var old = notice("s", task, Notice.Kind.WATCHER, "error");
    var newest = notice("s", task, Notice.Kind.WATCHER, "error");
    arrived(old, newest);
    commit(new InboxChange.Merged(new Merge(newest.standingFor(2), List.of(old.id()))));

    assertThat(waiting("s")).extracting(NoticeEntry::notice).containsExactly(newest.standingFor(2));
    assertThat(all("s")).hasSize(1);
  }

  @Test
  default void a_merge_that_counts_for_what_is_gone_changes_nothing() {
    var task = ids().nextTask();
    kept(task);
    var old = notice("s", task, Notice.Kind.WATCHER, "error");
    var newest = notice("s", task, Notice.Kind.WATCHER, "error");
    arrived(old, newest);
    acknowledge("s", old.id());
    commit(new InboxChange.Merged(new Merge(newest.standingFor(2), List.of(old.id()))));

    assertThat(waiting("s")).extracting(NoticeEntry::notice).containsExactly(newest);
    assertThat(all("s")).hasSize(2);
  }

  @Test
  default void a_notice_that_tells_the_same_again_takes_the_place_and_counts_for_both() {
    var task = ids().nextTask();
    var first = notice("s", task, Notice.Kind.WATCHER, "error");
    var other = notice("s", task, Notice.Kind.WATCHER, "error");
    var again = notice("s", task, Notice.Kind.WATCHER, "error").standingFor(3);
    commit(new InboxChange.Arrived(first, "x"), new InboxChange.Arrived(other, "y"));
    var seen = journal().lastNotice();
    commit(new InboxChange.Arrived(again, "x"));

    assertThat(waiting("s"))
        .extracting(NoticeEntry::notice)
        .containsExactly(other, again.standingFor(4));
    assertThat(after(seen)).extracting(it -> it.notice().id()).containsExactly(again.id());
    acknowledge("s", first.id());
    assertThat(journal().unacknowledged(session("s"))).isEqualTo(2);
  }

  @Test
  default void only_unacknowledged_notices_of_the_same_task_are_counted_together() {
    var task = ids().nextTask();
    kept(task);
    var read = notice("s", task, Notice.Kind.WATCHER, "error");
    commit(new InboxChange.Arrived(read, "x"));
    acknowledge("s", read.id());
    var ofAnother = notice("s", ids().nextTask(), Notice.Kind.WATCHER, "error");
    var again = notice("s", task, Notice.Kind.WATCHER, "error");
    var plain = notice("s", task, Notice.Kind.ENDED, null);
    commit(
        new InboxChange.Arrived(ofAnother, "x"),
        new InboxChange.Arrived(again, "x"),
        new InboxChange.Arrived(plain),
        new InboxChange.Arrived(notice("s", task, Notice.Kind.ENDED, null)));

    assertThat(waiting("s")).hasSize(4).allMatch(it -> it.notice().merged() == 1);
    assertThat(all("s")).hasSize(5);
  }

  @Test
  default void what_is_acknowledged_goes_with_its_task_and_the_rest_stays() {
    var task = ids().nextTask();
    kept(task);
    var read = notice("s", task, Notice.Kind.WATCHER, "error");
    var unread = notice("s", task, Notice.Kind.ENDED, null);
    arrived(read, unread);
    acknowledge("s", read.id());
    remove(task);

    assertThat(idsOf(all("s"))).containsExactly(unread.id());

    acknowledge("s", unread.id());
    assertThat(all("s")).isEmpty();
  }

  @Test
  default void a_foreign_cursor_is_refused_for_notices_too() {
    assertThatThrownBy(() -> after(new Cursor("nonsense"))).isInstanceOf(ErrandException.class);
    arrived("s");
    var head = waiting("s").getLast().cursor().text();
    var ahead = head + "9";
    assertThatThrownBy(() -> after(new Cursor(ahead)))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("past the end, which is '" + head + "'");
  }

  @Test
  default void a_memo_is_kept_for_its_session_and_name_until_it_is_forgotten() {
    memo("s", "webhook", "one");
    memo("s", "webhook", "two");
    memo("t", "webhook", "other");
    memo("s", "else", "three");

    assertThat(memoText("s", "webhook")).isEqualTo("two");
    assertThat(journal().memos("webhook"))
        .extracting(it -> it.sessionId().value())
        .containsExactly("s", "t");

    memo("s", "webhook", null);
    assertThat(journal().memo(session("s"), "webhook")).isEmpty();
    assertThat(memoText("t", "webhook")).isEqualTo("other");
  }

  private Notice notice(String session, TaskId task, Notice.Kind kind, @Nullable String event) {
    var code = kind == Notice.Kind.ENDED ? 3 : null;
    return new Notice(
        ids().next(),
        new Notice.Subject(session(session), task, event == null ? null : "label"),
        kind,
        event,
        new Notice.Standing(StatusWord.EXITED, code, 1_500),
        4,
        1_000,
        1);
  }

  private String arrived(String session) {
    var task = ids().nextTask();
    kept(task);
    var notice = notice(session, task, Notice.Kind.ENDED, null);
    arrived(notice);
    return notice.id();
  }

  private void arrived(Notice... notices) {
    var changes = new InboxChange[notices.length];
    for (var i = 0; i < notices.length; i++) {
      changes[i] = new InboxChange.Arrived(notices[i]);
    }
    commit(changes);
  }

  private void acknowledge(String session, String... ids) {
    commit(new InboxChange.Acknowledged(session(session), List.of(ids), 7));
  }

  private void commit(InboxChange... changes) {
    var batch = Batch.of(journal().takeOver("a"));
    for (var change : changes) {
      batch.inbox(change);
    }
    journal().commit(batch.build());
  }

  private void kept(TaskId task) {
    journal().commit(Batch.of(journal().takeOver("a")).row(live(task, "s")).build());
  }

  private void remove(TaskId task) {
    var tombstone = new Tombstone(task, session("s"), 1, "old", "me", "bob");
    journal().commit(Batch.of(journal().takeOver("a")).remove(tombstone).build());
  }

  private void memo(String session, String name, @Nullable String value) {
    var memo = new Memo(session(session), name, value == null ? null : bytes(value));
    journal().commit(Batch.of(journal().takeOver("a")).memo(memo).build());
  }

  private String memoText(String session, String name) {
    var memo = journal().memo(session(session), name).orElseThrow();
    return text(Objects.requireNonNull(memo.value()));
  }

  private List<NoticeEntry> waiting(String session) {
    return journal().notices(new NoticeQuery(session(session), Cursor.START, false, 100));
  }

  private List<NoticeEntry> all(String session) {
    return journal().notices(new NoticeQuery(session(session), Cursor.START, true, 100));
  }

  private List<NoticeEntry> after(Cursor cursor) {
    return journal().notices(new NoticeQuery(session("s"), cursor, true, 100));
  }

  private static List<String> idsOf(List<NoticeEntry> entries) {
    return entries.stream().map(it -> it.notice().id()).toList();
  }
}
