package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.append;
import static dev.errand.testkit.JournalFixture.everything;
import static dev.errand.testkit.JournalFixture.session;
import static dev.errand.testkit.JournalFixture.textsOf;
import static dev.errand.testkit.JournalFixture.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Append;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.StreamKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Claims about the one order of all frames, and about the cursors that stand in it. */
interface JournalOrderClaims extends JournalFixture {

  int WRITERS = 8;
  int BATCHES_PER_WRITER = 100;
  long PAUSE_NANOS = 100_000;

  @Test
  default void all_frames_are_read_in_the_order_of_their_commits() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    var session = StreamKey.of(session("s"));

    commit(fence, append(task, -1, 2), append(session, -1, 1));
    commit(fence, append(task, 1, 1));

    var entries = everything(journal(), Cursor.START);
    assertThat(textsOf(entries)).containsExactly(task + "#0", task + "#1", "s#0", task + "#2");
    assertThat(entries.get(2).stream()).isEqualTo(session);
    assertThat(everything(journal(), entries.get(1).cursor())).hasSize(2);
  }

  @Test
  default void the_head_stands_behind_the_last_frame() {
    var fence = journal().takeOver("a");
    var task = ids().nextTask();
    var empty = journal().head();
    assertThat(everything(journal(), empty)).isEmpty();
    commit(fence, append(task, -1, 3));

    var head = journal().head();

    assertThat(everything(journal(), empty)).hasSize(3);
    assertThat(everything(journal(), Cursor.START).getLast().cursor()).isEqualTo(head);
    assertThat(everything(journal(), head)).isEmpty();
  }

  @Test
  default void an_empty_page_leaves_the_cursor_where_it_was() {
    var fence = journal().takeOver("a");
    commit(fence, append(ids().nextTask(), -1, 3));
    var head = journal().head();

    assertThat(journal().readAll(head, 10)).isEqualTo(new Page(List.of(), head));
  }

  @Test
  default void a_foreign_cursor_is_refused() {
    commit(journal().takeOver("a"), append(ids().nextTask(), -1, 1));
    var own = journal().head().text();

    assertForeign("nonsense");
    assertForeign("-1");
    assertForeign("5");
    assertForeign("' OR 1 = 1");
    assertForeign(own + "x");
    assertForeign(own + "0");
    assertForeign("x" + own);
    assertThatThrownBy(() -> journal().readAll(new Cursor(own + "0"), 10))
        .hasMessageContaining("past the end, which is '" + own + "'");
    assertThat(journal().readAll(new Cursor(own), 10).entries()).isEmpty();
  }

  private void assertForeign(String text) {
    assertThatThrownBy(() -> journal().readAll(new Cursor(text), 10))
        .asInstanceOf(InstanceOfAssertFactories.type(ErrandException.class))
        .extracting(ErrandException::code)
        .isEqualTo(ErrorCode.INVALID_REQUEST);
  }

  @Test
  default void followers_see_every_frame_once_and_in_order_while_many_write()
      throws InterruptedException {
    var fence = journal().takeOver("a");
    var shared = StreamKey.of(session("shared"));
    var works = new ArrayList<Callable<List<Page.Entry>>>();
    for (var writer = 0; writer < WRITERS; writer++) {
      works.add(() -> write(fence));
    }
    for (var follower = 0; follower < 3; follower++) {
      works.add(this::follow);
    }
    works.add(() -> writeAlone(fence, shared));

    var results = together(works);

    var settled = everything(journal(), Cursor.START);
    assertThat(settled).hasSize(frameCount());
    assertDense(settled);
    for (var follower = 0; follower < 3; follower++) {
      var seen = results.get(WRITERS + follower);
      assertThat(textsOf(seen)).isEqualTo(textsOf(settled));
      assertThat(cursors(seen)).isEqualTo(cursors(settled)).doesNotHaveDuplicates();
    }
  }

  private static int frameCount() {
    return WRITERS * BATCHES_PER_WRITER * 3 + BATCHES_PER_WRITER;
  }

  private void commit(Fence fence, Append... appends) {
    var batch = Batch.of(fence);
    for (var append : appends) {
      batch.append(append);
    }
    journal().commit(batch.build());
  }

  /** Each batch goes to two streams, so that a torn one would show. */
  private List<Page.Entry> write(Fence fence) {
    var first = ids().nextTask();
    var second = ids().nextTask();
    for (var i = 0L; i < BATCHES_PER_WRITER; i++) {
      commit(fence, append(first, i - 1, 1), append(second, 2 * i - 1, 2));
    }
    return List.of();
  }

  private List<Page.Entry> writeAlone(Fence fence, StreamKey stream) {
    for (var i = 0L; i < BATCHES_PER_WRITER; i++) {
      commit(fence, append(stream, i - 1, 1));
    }
    return List.of();
  }

  /** Reads on from its own cursor until all is there that will ever be written. */
  private List<Page.Entry> follow() {
    var seen = new ArrayList<Page.Entry>();
    var cursor = Cursor.START;
    while (seen.size() < frameCount()) {
      var page = journal().readAll(cursor, 50);
      seen.addAll(page.entries());
      cursor = page.next();
      if (page.entries().isEmpty()) {
        // Nobody preempts a virtual thread: without a pause the followers could starve the writers.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return seen;
  }

  private static void assertDense(List<Page.Entry> entries) {
    var last = new HashMap<StreamKey, Long>();
    for (var entry : entries) {
      var due = last.getOrDefault(entry.stream(), -1L) + 1;
      assertThat(entry.frame().seq()).isEqualTo(due);
      last.put(entry.stream(), due);
    }
  }

  private static List<Cursor> cursors(List<Page.Entry> entries) {
    return entries.stream().map(Page.Entry::cursor).toList();
  }
}
