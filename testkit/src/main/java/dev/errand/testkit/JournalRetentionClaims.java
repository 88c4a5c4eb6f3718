package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.append;
import static dev.errand.testkit.JournalFixture.ended;
import static dev.errand.testkit.JournalFixture.everything;
import static dev.errand.testkit.JournalFixture.idsOf;
import static dev.errand.testkit.JournalFixture.live;
import static dev.errand.testkit.JournalFixture.session;
import static dev.errand.testkit.JournalFixture.textsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.TaskId;
import org.junit.jupiter.api.Test;

/** Claims about what goes: whole tasks, in the order of their ends, each leaving a tombstone. */
interface JournalRetentionClaims extends JournalFixture {

  @Test
  default void a_removed_task_leaves_its_tombstone_and_nothing_else() {
    var fence = journal().takeOver("a");
    var task = spawned(fence);
    var other = spawned(fence);
    var tombstone = remove(fence, task);

    assertThat(journal().tombstone(task)).contains(tombstone);
    assertThat(journal().tombstone(other)).isEmpty();
    assertThat(journal().lastSeq(StreamKey.of(task))).isEqualTo(-1);
    assertThat(journal().read(StreamKey.of(task), -1, 10)).isEmpty();
    assertThat(journal().row(task)).isEmpty();
    assertThat(journal().idsWithPrefix(task.value(), 10)).isEmpty();
    assertThat(journal().artifactLinks("ab"))
        .extracting(ArtifactLink::taskId)
        .containsExactly(other);
    assertThat(textsOf(everything(journal(), Cursor.START)))
        .containsExactly(other + "#0", other + "#1", "s#0");
  }

  @Test
  default void who_has_seen_a_cursor_finds_only_new_frames_behind_it_after_a_removal() {
    var fence = journal().takeOver("a");
    var task = spawned(fence);
    var seen = journal().head();
    journal()
        .commit(
            Batch.of(fence)
                .remove(new Tombstone(task, session("s"), 1, "old", "me", "bob"))
                .build());
    assertThat(everything(journal(), seen)).isEmpty();

    var next = ids().nextTask();
    journal().commit(Batch.of(fence).append(append(next, -1, 2)).build());

    assertThat(textsOf(everything(journal(), seen))).containsExactly(next + "#0", next + "#1");
  }

  @Test
  default void nothing_is_added_to_a_removed_task() {
    var fence = journal().takeOver("a");
    var task = spawned(fence);
    remove(fence, task);

    assertRefused(Batch.of(fence).append(append(task, -1, 1)));
    assertRefused(Batch.of(fence).append(append(task, 1, 1)));
    assertRefused(Batch.of(fence).row(live(task, "s")));
    assertRefused(Batch.of(fence).artifact(new ArtifactLink("ab", task, 1, 1)));

    assertThat(journal().row(task)).isEmpty();
    assertThat(journal().lastSeq(StreamKey.of(task))).isEqualTo(-1);
  }

  private void assertRefused(Batch.Builder batch) {
    assertThatThrownBy(() -> journal().commit(batch.build()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void the_first_tombstone_stays() {
    var fence = journal().takeOver("a");
    var task = spawned(fence);
    var first = remove(fence, task);
    journal()
        .commit(
            Batch.of(fence)
                .remove(new Tombstone(task, session("s"), 99, "again", "me", "bob"))
                .build());

    assertThat(journal().tombstone(task)).contains(first);
  }

  @Test
  default void the_oldest_ends_come_first() {
    var late = put(30, 0, 1);
    var early = put(10, 0, 2);
    var middle = put(20, 0, 4);
    var sameTime = put(20, 0, 8);
    journal().commit(Batch.of(journal().takeOver("a")).row(live(ids().nextTask(), "s")).build());

    assertThat(idsOf(journal().oldestEnded(10))).containsExactly(early, middle, sameTime, late);
    assertThat(idsOf(journal().oldestEnded(2))).containsExactly(early, middle);
    assertThat(journal().bytesStored()).isEqualTo(15);
  }

  @Test
  default void what_was_read_before_a_time_is_found_and_what_was_not_read_is_not() {
    var late = put(30, 40, 1);
    var early = put(10, 45, 1);
    put(20, 0, 1);
    put(5, 50, 1);

    assertThat(idsOf(journal().readBefore(50, 10))).containsExactly(early, late);
    assertThat(idsOf(journal().readBefore(50, 1))).containsExactly(early);
    assertThat(idsOf(journal().readBefore(41, 10))).containsExactly(late);
    assertThat(journal().readBefore(40, 10)).isEmpty();
  }

  @Test
  default void an_empty_journal_stores_no_bytes() {
    assertThat(journal().bytesStored()).isEqualTo(0);
    assertThat(journal().oldestEnded(10)).isEmpty();
  }

  private TaskId spawned(Fence fence) {
    var task = ids().nextTask();
    journal()
        .commit(
            Batch.of(fence)
                .append(append(task, -1, 2))
                .row(live(task, "s"))
                .artifact(new ArtifactLink("ab", task, 1, 1))
                .build());
    return task;
  }

  /** As the daemon does it: the session's stream says what went. */
  private Tombstone remove(Fence fence, TaskId task) {
    var tombstone = new Tombstone(task, session("s"), 42, "retention", "daemon", "bob");
    journal()
        .commit(
            Batch.of(fence)
                .append(append(StreamKey.of(session("s")), -1, 1))
                .remove(tombstone)
                .build());
    return tombstone;
  }

  private TaskId put(long endedAtMs, long readAtMs, long bytesStored) {
    var row = ended(ids().nextTask(), endedAtMs, readAtMs, bytesStored);
    journal().commit(Batch.of(journal().takeOver("a")).row(row).build());
    return row.id();
  }
}
