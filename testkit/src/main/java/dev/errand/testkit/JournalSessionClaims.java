package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.idsOf;
import static dev.errand.testkit.JournalFixture.live;
import static dev.errand.testkit.JournalFixture.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Batch;
import dev.errand.core.journal.SessionEnd;
import dev.errand.core.journal.SessionRow;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims about sessions and batches: which there are, and what belongs to them. */
interface JournalSessionClaims extends JournalFixture {

  @Test
  default void a_session_is_there_as_long_as_it_has_tasks() {
    var fence = journal().takeOver("test");
    var first = live(ids().nextTask(), "a");
    var over = batched(ids().nextTask(), "a", null, 50);
    var other = live(ids().nextTask(), "b");
    journal().commit(Batch.of(fence).row(first).row(over).row(other).build());

    assertThat(journal().sessions(null, 10))
        .containsExactly(
            new SessionRow(session("a"), 2, over.id(), 50, 0),
            new SessionRow(session("b"), 1, other.id(), 0, 0));
    assertThat(journal().sessions(null, 1)).hasSize(1);
    assertThat(journal().sessions(session("a"), 10))
        .extracting(SessionRow::id)
        .containsExactly(session("b"));

    var gone = new Tombstone(other.id(), session("b"), 60, "old", "ann", "bob");
    journal().commit(Batch.of(fence).remove(gone).build());
    assertThat(journal().session(session("b"))).isEmpty();
    assertThat(journal().session(session("a"))).isPresent();
  }

  @Test
  default void an_ended_session_stays_known_until_it_is_open_again() {
    var fence = journal().takeOver("test");
    var end = new SessionEnd(session("x"), 70);
    journal().commit(Batch.of(fence).row(live(ids().nextTask(), "y")).session(end).build());

    assertThat(journal().endedSessions()).containsExactly(end);
    assertThat(journal().session(session("x")))
        .contains(new SessionRow(session("x"), 0, null, 0, 70));
    assertThat(journal().sessions(null, 10))
        .extracting(SessionRow::id)
        .containsExactly(session("x"), session("y"));

    journal().commit(Batch.of(fence).session(new SessionEnd(session("x"), 0)).build());
    assertThat(journal().endedSessions()).isEmpty();
    assertThat(journal().session(session("x"))).isEmpty();
  }

  @Test
  default void a_batch_lists_its_tasks_of_one_session() {
    var fence = journal().takeOver("test");
    var one = batched(ids().nextTask(), "a", "night", 0);
    var two = batched(ids().nextTask(), "a", "night", 9);
    var foreign = batched(ids().nextTask(), "b", "night", 0);
    var alone = batched(ids().nextTask(), "a", null, 0);
    journal().commit(Batch.of(fence).row(one).row(two).row(foreign).row(alone).build());

    assertThat(idsOf(journal().rows(TaskQuery.batch(session("a"), "night", null, 10))))
        .containsExactly(two.id(), one.id());
    assertThat(idsOf(journal().rows(TaskQuery.batch(session("a"), "night", two.id(), 10))))
        .containsExactly(one.id());
    assertThat(journal().row(one.id())).get().usingRecursiveComparison().isEqualTo(one);
    var read = two.readAt(99);
    journal().commit(Batch.of(fence).row(read).build());
    assertThat(journal().row(two.id())).get().usingRecursiveComparison().isEqualTo(read);
  }

  @Test
  default void what_a_session_has_started_elsewhere_is_found_with_its_own() {
    var fence = journal().takeOver("test");
    var root = live(ids().nextTask(), "a");
    var child = below(ids().nextTask(), "b", root.id(), "night");
    var grandchild = below(ids().nextTask(), "c", child.id(), null);
    var back = below(ids().nextTask(), "a", grandchild.id(), null);
    var foreign = live(ids().nextTask(), "b");
    for (var row : List.of(root, child, grandchild, back, foreign)) {
      journal().commit(Batch.of(fence).row(row).build());
    }

    assertThat(family("a", null, 10))
        .containsExactly(back.id(), grandchild.id(), child.id(), root.id());
    assertThat(family("a", null, 3)).containsExactly(back.id(), grandchild.id(), child.id());
    assertThat(family("a", child.id(), 3)).containsExactly(root.id());
    assertThat(family("b", null, 10))
        .containsExactly(foreign.id(), back.id(), grandchild.id(), child.id());
    assertThat(family("d", null, 10)).isEmpty();
    var own = TaskQuery.batch(session("a"), "night", null, 10);
    assertThat(journal().rows(own)).isEmpty();
    assertThat(idsOf(journal().rows(own.withDescendants()))).containsExactly(child.id());
    assertThat(journal().descends(grandchild.id(), session("a"))).isTrue();
    assertThat(journal().descends(root.id(), session("b"))).isFalse();
    assertThat(journal().descends(foreign.id(), session("a"))).isFalse();
    assertThat(journal().row(child.id())).get().usingRecursiveComparison().isEqualTo(child);
  }

  @Test
  default void what_stands_between_may_be_removed_and_is_listed_no_more_but_still_descends() {
    var fence = journal().takeOver("test");
    var root = live(ids().nextTask(), "a");
    var child = below(ids().nextTask(), "b", root.id(), null);
    var grandchild = below(ids().nextTask(), "c", child.id(), null);
    for (var row : List.of(root, child, grandchild)) {
      journal().commit(Batch.of(fence).row(row).build());
    }
    journal().commit(Batch.of(fence).row(grandchild.readAt(9)).build());
    var gone = new Tombstone(child.id(), session("b"), 60, "old", "ann", "bob");
    journal().commit(Batch.of(fence).remove(gone).build());

    assertThat(family("a", null, 10)).containsExactly(grandchild.id(), root.id());
    assertThat(journal().descends(child.id(), session("a"))).isTrue();
    assertThat(journal().descends(child.id(), session("c"))).isFalse();
    assertThat(journal().descends(grandchild.id(), session("a"))).isTrue();
    // Whoever comes below a task that is gone has nobody above it any more.
    var late = below(ids().nextTask(), "d", child.id(), null);
    journal().commit(Batch.of(fence).row(late).build());
    assertThat(journal().descends(late.id(), session("a"))).isFalse();
  }

  private List<TaskId> family(String session, @Nullable TaskId before, int limit) {
    var query = new TaskQuery(session(session), null, null, Set.of(), null, before, limit);
    return idsOf(journal().rows(query.withDescendants()));
  }

  private static TaskRow below(
      TaskId taskId, String session, TaskId parent, @Nullable String batchId) {
    var row = batched(taskId, session, batchId, 0);
    return new TaskRow(
        taskId,
        row.sessionId(),
        null,
        row.kind(),
        row.status(),
        true,
        row.lifetime(),
        1,
        row.statusText(),
        batchId,
        parent,
        row.outcome());
  }

  private static TaskRow batched(
      TaskId taskId, String session, @Nullable String batchId, long endedAtMs) {
    return new TaskRow(
        taskId,
        session(session),
        null,
        "command",
        endedAtMs == 0 ? StatusWord.RUNNING : StatusWord.EXITED,
        endedAtMs == 0,
        new TaskRow.Lifetime(endedAtMs, 0, 0),
        1,
        JournalFixture.bytes("{}"),
        batchId,
        null,
        TaskRow.Outcome.NONE);
  }
}
