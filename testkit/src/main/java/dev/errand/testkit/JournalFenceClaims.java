package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.append;
import static dev.errand.testkit.JournalFixture.everything;
import static dev.errand.testkit.JournalFixture.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.StreamKey;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Claims about who may write: the last who took over, and nobody else. */
interface JournalFenceClaims extends JournalFixture {

  @Test
  default void each_take_over_begins_a_later_epoch() {
    var first = journal().takeOver("a");
    var second = journal().takeOver("a");

    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThat(second.owner()).isEqualTo("a");
  }

  @Test
  default void the_old_epoch_is_refused_after_a_take_over() {
    var old = journal().takeOver("a");
    var task = ids().nextTask();
    var fence = journal().takeOver("b");

    assertFenced(old);
    assertFenced(new Fence("a", fence.epoch()));
    assertFenced(new Fence("b", fence.epoch() + 1));
    journal().commit(Batch.of(fence).append(append(task, -1, 1)).build());

    assertThat(everything(journal(), Cursor.START)).hasSize(1);
  }

  private void assertFenced(Fence fence) {
    var batch = Batch.of(fence).append(append(ids().nextTask(), -1, 1)).build();
    assertThatThrownBy(() -> journal().commit(batch))
        .asInstanceOf(InstanceOfAssertFactories.type(ErrandException.class))
        .extracting(ErrandException::code)
        .isEqualTo(ErrorCode.FENCED);
  }

  @Test
  default void a_take_over_shuts_out_commits_that_are_under_way() throws InterruptedException {
    var old = journal().takeOver("a");
    var begun = new CountDownLatch(8);
    var works = new ArrayList<Callable<Cursor>>();
    for (var writer = 0; writer < 8; writer++) {
      works.add(() -> writeUntilFenced(old, begun));
    }
    works.add(() -> {
      begun.await();
      journal().takeOver("b");
      return journal().head();
    });

    var heads = together(works);

    assertThat(everything(journal(), heads.getLast())).isEmpty();
  }

  /** Every commit that returned is there, and the one that was refused left nothing. */
  private Cursor writeUntilFenced(Fence old, CountDownLatch begun) {
    var task = ids().nextTask();
    for (var seq = 0; ; seq++) {
      try {
        journal().commit(Batch.of(old).append(append(task, seq - 1L, 1)).build());
        begun.countDown();
      } catch (ErrandException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.FENCED);
        assertThat(journal().lastSeq(StreamKey.of(task))).isEqualTo(seq - 1L);
        return journal().head();
      }
    }
  }

  @Test
  default void the_id_of_a_journal_stays() {
    var id = journal().id();

    journal().takeOver("a");

    assertThat(journal().id()).isEqualTo(id).isNotEmpty();
  }
}
