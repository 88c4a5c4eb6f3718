package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.append;
import static dev.errand.testkit.JournalFixture.bytes;
import static dev.errand.testkit.JournalFixture.everything;
import static dev.errand.testkit.JournalFixture.live;
import static dev.errand.testkit.JournalFixture.session;
import static dev.errand.testkit.JournalFixture.texts;
import static dev.errand.testkit.JournalFixture.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.journal.Append;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.Tombstone;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Claims about one batch: it is whole or not at all, and frames stand in order without a gap. */
interface JournalCommitClaims extends JournalFixture {

  @Test
  default void frames_of_a_stream_are_read_in_the_order_of_their_seq() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    var stream = StreamKey.of(task);

    journal().commit(Batch.of(fence).append(append(task, -1, 9)).build());
    journal().commit(Batch.of(fence).append(append(task, 8, 1)).build());

    assertThat(texts(journal(), stream)).hasSize(10).first().isEqualTo(task + "#0");
    assertThat(journal().read(stream, 3, 2)).extracting(EncodedFrame::seq).containsExactly(4L, 5L);
    assertThat(journal().read(stream, 9, 2)).isEmpty();
    assertThat(journal().lastSeq(stream)).isEqualTo(9);
  }

  @Test
  default void lazy_batches_stand_in_line_with_all_others() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();

    journal().commit(Batch.of(fence).append(append(task, -1, 1)).build());
    journal().commit(Batch.of(fence).lazily().append(append(task, 0, 2)).build());
    journal().commit(Batch.of(fence).lazily().append(append(task, 2, 1)).build());
    journal().commit(Batch.of(fence).append(append(task, 3, 1)).build());

    assertThat(journal().read(StreamKey.of(task), -1, 10))
        .extracting(EncodedFrame::seq)
        .containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThatThrownBy(
            () -> journal().commit(Batch.of(fence).lazily().append(append(task, 3, 1)).build()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void an_unknown_stream_is_empty() {
    var stream = StreamKey.of(ids().nextTask());

    assertThat(journal().read(stream, -1, 10)).isEmpty();
    assertThat(journal().lastSeq(stream)).isEqualTo(-1);
  }

  @Test
  default void a_task_and_a_session_of_the_same_name_have_two_streams() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    var session = StreamKey.of(session(task.value()));

    journal()
        .commit(Batch.of(fence).append(append(task, -1, 2)).append(append(session, -1, 1)).build());

    assertThat(journal().lastSeq(StreamKey.of(task))).isEqualTo(1);
    assertThat(journal().lastSeq(session)).isEqualTo(0);
  }

  @Test
  default void two_appends_of_one_batch_to_one_stream_follow_each_other() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();

    journal()
        .commit(Batch.of(fence).append(append(task, -1, 2)).append(append(task, 1, 2)).build());

    assertThat(texts(journal(), StreamKey.of(task))).hasSize(4);
  }

  @Test
  default void an_append_behind_the_wrong_seq_is_refused() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    journal().commit(Batch.of(fence).append(append(task, -1, 2)).build());

    for (var afterSeq : List.of(-1L, 0L, 2L, 7L)) {
      var wrong = Batch.of(fence).append(append(task, afterSeq, 1)).build();
      assertThatThrownBy(() -> journal().commit(wrong)).isInstanceOf(IllegalStateException.class);
    }

    assertThat(texts(journal(), StreamKey.of(task))).hasSize(2);
  }

  @Test
  default void an_append_without_frames_still_says_where_its_stream_must_stand() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    var stream = StreamKey.of(task);
    var wrong = Batch.of(fence).append(new Append(stream, 0, List.of())).build();

    journal().commit(Batch.of(fence).append(new Append(stream, -1, List.of())).build());

    assertThatThrownBy(() -> journal().commit(wrong)).isInstanceOf(IllegalStateException.class);
    assertThat(journal().lastSeq(stream)).isEqualTo(-1);
  }

  @Test
  default void a_batch_with_one_wrong_seq_changes_nothing() {
    var fence = journal().takeOver("a");
    var kept = ids().nextTask();
    var other = ids().nextTask();
    var key = new IdempotencyKey("me", "POST\n/tasks", "k");
    journal().commit(Batch.of(fence).append(append(kept, -1, 1)).row(live(kept, "s")).build());
    var head = journal().head();

    var batch =
        Batch.of(fence)
            .append(append(other, -1, 3))
            .append(append(kept, 5, 1))
            .row(live(other, "s"))
            .artifact(new ArtifactLink("ab", other, 3, 1))
            .remove(new Tombstone(kept, session("s"), 1, "old", "me", "bob"))
            .reply(new RememberedReply(key, "digest", bytes("ok"), other, 1))
            .build();
    assertThatThrownBy(() -> journal().commit(batch)).isInstanceOf(IllegalStateException.class);

    assertThat(journal().lastSeq(StreamKey.of(other))).isEqualTo(-1);
    assertThat(texts(journal(), StreamKey.of(kept))).hasSize(1);
    assertThat(journal().row(kept)).isPresent();
    assertThat(journal().row(other)).isEmpty();
    assertThat(journal().artifactLinks("ab")).isEmpty();
    assertThat(journal().tombstone(kept)).isEmpty();
    assertThat(journal().reply(key)).isEmpty();
    assertThat(everything(journal(), head)).isEmpty();
  }

  @Test
  default void a_refused_batch_takes_no_other_with_it() throws InterruptedException {
    var fence = journal().takeOver("a");
    var start = new CountDownLatch(1);
    var works = new ArrayList<Callable<Boolean>>();
    for (var i = 0; i < 64; i++) {
      var task = ids().nextTask();
      var batch = Batch.of(fence).append(append(task, -1, 1));
      var wanted = i % 3 != 0;
      if (!wanted) {
        batch.append(append(ids().nextTask(), 4, 1));
      }
      works.add(() -> {
        start.await();
        return accepted(batch.build()) == wanted
            && (journal().lastSeq(StreamKey.of(task)) == 0) == wanted;
      });
    }
    works.add(() -> {
      start.countDown();
      return true;
    });

    assertThat(together(works)).containsOnly(true);
    assertThat(everything(journal(), Cursor.START)).hasSize(42);
  }

  private boolean accepted(Batch batch) {
    try {
      journal().commit(batch);
      return true;
    } catch (IllegalStateException _) {
      return false;
    }
  }

  @Test
  default void a_frame_of_a_mebibyte_comes_back_byte_for_byte() {
    var fence = journal().takeOver("a");
    var stream = StreamKey.of(ids().nextTask());
    var large = new byte[1 << 20];
    new Random(1).nextBytes(large);
    var frames =
        List.of(
            new EncodedFrame(0, large),
            new EncodedFrame(1, new byte[0]),
            new EncodedFrame(2, large));

    journal().commit(Batch.of(fence).append(new Append(stream, -1, frames)).build());

    assertThat(journal().read(stream, -1, 10))
        .extracting(EncodedFrame::bytes)
        .containsExactly(large, new byte[0], large);
  }

  @Test
  default void an_empty_batch_is_accepted() {
    Fence fence = journal().takeOver("a");

    journal().commit(Batch.of(fence).build());

    assertThat(everything(journal(), Cursor.START)).isEmpty();
  }
}
