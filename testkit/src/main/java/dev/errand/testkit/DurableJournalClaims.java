package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.all;
import static dev.errand.testkit.JournalFixture.append;
import static dev.errand.testkit.JournalFixture.bytes;
import static dev.errand.testkit.JournalFixture.everything;
import static dev.errand.testkit.JournalFixture.live;
import static dev.errand.testkit.JournalFixture.session;
import static dev.errand.testkit.JournalFixture.textsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.session.Notice;
import dev.errand.core.task.StatusWord;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Claims about journals that outlive their process, beside those of the suite. */
public interface DurableJournalClaims extends JournalFixture {

  /** Closes the journal and opens it again, as a restart does. */
  Journal reopened();

  @Test
  default void inboxes_and_memos_outlive_a_restart() {
    var task = ids().nextTask();
    var subject = new Notice.Subject(session("s"), task, null);
    var standing = new Notice.Standing(StatusWord.EXITED, 0, 5);
    var notice = new Notice(ids().next(), subject, Notice.Kind.ENDED, null, standing, 4, 1_000, 1);
    journal()
        .commit(
            Batch.of(journal().takeOver("a"))
                .inbox(new InboxChange.Arrived(notice))
                .memo(new Memo(session("s"), "webhook", bytes("kept")))
                .build());
    var query = new NoticeQuery(session("s"), Cursor.START, false, 10);
    var before = journal().notices(query);

    var again = reopened();

    assertThat(again.notices(query)).isEqualTo(before);
    assertThat(again.lastNotice()).isEqualTo(before.getLast().cursor());
    assertThat(again.memos("webhook")).hasSize(1);
  }

  @Test
  default void what_tells_the_same_is_counted_together_through_a_restart() {
    var subject = new Notice.Subject(session("s"), ids().nextTask(), null);
    var standing = new Notice.Standing(StatusWord.RUNNING, null, 5);
    var first = new Notice(ids().next(), subject, Notice.Kind.WATCHER, "e", standing, 4, 1_000, 1);
    var again = new Notice(ids().next(), subject, Notice.Kind.WATCHER, "e", standing, 5, 2_000, 1);
    var hit = new InboxChange.Arrived(first, "same");
    journal().commit(Batch.of(journal().takeOver("a")).inbox(hit).build());

    var opened = reopened();
    var repeat = new InboxChange.Arrived(again, "same");
    opened.commit(Batch.of(opened.takeOver("b")).inbox(repeat).build());

    assertThat(opened.notices(new NoticeQuery(session("s"), Cursor.START, false, 10)))
        .extracting(NoticeEntry::notice)
        .containsExactly(again.standingFor(2));
  }

  @Test
  default void everything_committed_is_there_after_a_restart() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    var removed = ids().nextTask();
    var key = new IdempotencyKey("me", "POST\n/tasks", "k");
    var tombstone = new Tombstone(removed, session("s"), 1, "old", "me", "bob");
    journal()
        .commit(
            Batch.of(fence)
                .append(append(task, -1, 3))
                .append(append(removed, -1, 3))
                .row(live(task, "s"))
                .artifact(new ArtifactLink("ab", task, 1, 1))
                .remove(tombstone)
                .reply(new RememberedReply(key, "digest", bytes("ok"), task, 1))
                .build());

    var again = reopened();

    assertThat(textsOf(everything(again, Cursor.START)))
        .containsExactly(task + "#0", task + "#1", task + "#2");
    assertThat(again.rows(all(10))).hasSize(1);
    assertThat(again.artifactLinks("ab")).hasSize(1);
    assertThat(again.tombstone(removed)).contains(tombstone);
    assertThat(again.reply(key)).isPresent();
  }

  @Test
  default void id_and_cursors_stay_over_a_restart() {
    var fence = journal().takeOver("a");
    journal().commit(Batch.of(fence).append(append(ids().nextTask(), -1, 3)).build());
    var id = journal().id();
    var head = journal().head();

    var again = reopened();

    assertThat(again.id()).isEqualTo(id);
    assertThat(again.head()).isEqualTo(head);
    assertThat(everything(again, head)).isEmpty();
  }

  @Test
  default void a_restart_reuses_no_cursor_of_a_removed_frame() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    journal().commit(Batch.of(fence).append(append(task, -1, 3)).build());
    var seen = journal().head();
    journal()
        .commit(
            Batch.of(fence)
                .remove(new Tombstone(task, session("s"), 1, "old", "me", "bob"))
                .build());

    var again = reopened();
    var next = ids().nextTask();
    again.commit(Batch.of(again.takeOver("b")).append(append(next, -1, 1)).build());

    assertThat(textsOf(everything(again, seen))).containsExactly(next + "#0");
  }

  @Test
  default void the_epoch_goes_on_after_a_restart() {
    var old = journal().takeOver("a");
    var again = reopened();
    var task = ids().nextTask();
    again.commit(Batch.of(old).append(append(task, -1, 1)).build());

    var fence = again.takeOver("a");

    assertThat(fence.epoch()).isGreaterThan(old.epoch());
    var late = Batch.of(old).append(append(task, 0, 1)).build();
    assertThatThrownBy(() -> again.commit(late))
        .asInstanceOf(InstanceOfAssertFactories.type(ErrandException.class))
        .extracting(ErrandException::code)
        .isEqualTo(ErrorCode.FENCED);
    assertThat(again.lastSeq(StreamKey.of(task))).isEqualTo(0);
  }
}
