package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.all;
import static dev.errand.testkit.JournalFixture.ended;
import static dev.errand.testkit.JournalFixture.idsOf;
import static dev.errand.testkit.JournalFixture.live;
import static dev.errand.testkit.JournalFixture.row;
import static dev.errand.testkit.JournalFixture.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Batch;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims about view rows: what a list shows, in which order, and how it is read on. */
interface JournalViewClaims extends JournalFixture {

  TaskRow.Lifetime OVER = new TaskRow.Lifetime(5, 0, 10);

  @Test
  default void a_row_comes_back_as_it_was_put() {
    var task = ids().nextTask();
    var row =
        row(
            task,
            "s",
            "build",
            "command",
            StatusWord.EXITED,
            new TaskRow.Lifetime(7, 8, 9_000_000_000L));
    put(row);

    assertThat(journal().row(task)).get().usingRecursiveComparison().isEqualTo(row);
    assertThat(journal().row(ids().nextTask())).isEmpty();
  }

  @Test
  default void a_later_row_takes_the_place_of_the_earlier() {
    var task = ids().nextTask();
    put(live(task, "s"));
    var running = row(task, "s", null, "command", StatusWord.RUNNING, TaskRow.Lifetime.LIVE);
    put(running);
    var last = row(task, "t", "build", "agent", StatusWord.EXITED, OVER);
    put(last);

    assertThat(journal().rows(all(10))).hasSize(1);
    assertThat(journal().row(task)).get().usingRecursiveComparison().isEqualTo(last);
    assertThat(journal().rows(TaskQuery.live(null, 10))).isEmpty();
    assertThat(idsOf(journal().oldestEnded(10))).containsExactly(task);
  }

  @Test
  default void lists_show_the_newest_first_and_are_read_on_page_by_page() {
    var tasks = new ArrayList<TaskId>();
    for (var i = 0; i < 7; i++) {
      tasks.addFirst(ids().nextTask());
      put(live(tasks.getFirst(), "s"));
    }

    var first = idsOf(journal().rows(all(3)));
    var second =
        idsOf(journal().rows(new TaskQuery(null, null, null, Set.of(), null, first.getLast(), 3)));
    var third = idsOf(journal().rows(TaskQuery.live(second.getLast(), 3)));

    assertThat(first).isEqualTo(tasks.subList(0, 3));
    assertThat(second).isEqualTo(tasks.subList(3, 6));
    assertThat(third).isEqualTo(tasks.subList(6, 7));
  }

  @Test
  default void each_filter_lets_through_just_what_it_names() {
    var agent =
        put(row(ids().nextTask(), "a", null, "agent", StatusWord.RUNNING, TaskRow.Lifetime.LIVE));
    var build = put(row(ids().nextTask(), "a", "build", "command", StatusWord.EXITED, OVER));
    var other = put(row(ids().nextTask(), "b", "build", "command", StatusWord.FAILED, OVER));
    var queued =
        put(row(ids().nextTask(), "b", null, "command", StatusWord.QUEUED, TaskRow.Lifetime.LIVE));

    assertThat(find("a", null, null, Set.of(), null)).containsExactly(build, agent);
    assertThat(find(null, "build", null, Set.of(), null)).containsExactly(other, build);
    assertThat(find("a", "build", null, Set.of(), null)).containsExactly(build);
    assertThat(find(null, null, "agent", Set.of(), null)).containsExactly(agent);
    assertThat(find(null, null, null, Set.of(StatusWord.QUEUED, StatusWord.FAILED), null))
        .containsExactly(queued, other);
    assertThat(find(null, null, null, Set.of(), true)).containsExactly(queued, agent);
    assertThat(find(null, null, null, Set.of(), false)).containsExactly(other, build);
    assertThat(find("b", null, "command", Set.of(StatusWord.QUEUED, StatusWord.RUNNING), true))
        .containsExactly(queued);
    assertThat(find("b", "build", "command", Set.of(StatusWord.FAILED), false))
        .containsExactly(other);
    assertThat(find("b", "nothing", null, Set.of(), null)).isEmpty();
    assertThat(find("c", null, null, Set.of(), null)).isEmpty();
    assertThat(find(null, "it's", null, Set.of(), null)).isEmpty();
  }

  @Test
  default void a_filtered_list_is_read_on_too() {
    var first = put(row(ids().nextTask(), "a", "x", "command", StatusWord.FAILED, OVER));
    put(row(ids().nextTask(), "b", "y", "command", StatusWord.EXITED, OVER));
    var last = put(row(ids().nextTask(), "a", "x", "command", StatusWord.FAILED, OVER));

    assertThat(
            idsOf(journal().rows(new TaskQuery(session("a"), null, null, Set.of(), null, last, 9))))
        .containsExactly(first);
    assertThat(idsOf(journal().rows(new TaskQuery(null, "x", null, Set.of(), null, last, 9))))
        .containsExactly(first);
    assertThat(
            idsOf(
                journal()
                    .rows(
                        new TaskQuery(
                            null, null, null, Set.of(StatusWord.FAILED), false, last, 9))))
        .containsExactly(first);
  }

  @Test
  default void ids_are_found_by_how_they_begin_newest_first() {
    var first = put(live(new TaskId("0190aaaa-0000-7000-8000-000000000001"), "s"));
    var second = put(live(new TaskId("0190aaaa-0000-7000-8000-000000000002"), "s"));
    var third = put(ended(new TaskId("0190bbbb-0000-7000-8000-000000000001"), 1, 0, 0));

    assertThat(journal().idsWithPrefix("0190aaaa", 10)).containsExactly(second, first);
    assertThat(journal().idsWithPrefix("0190aaaa-0", 1)).containsExactly(second);
    assertThat(journal().idsWithPrefix("", 10)).containsExactly(third, second, first);
    assertThat(journal().idsWithPrefix(third.value(), 10)).containsExactly(third);
    assertThat(journal().idsWithPrefix(third.value() + "0", 10)).isEmpty();
    assertThat(journal().idsWithPrefix("%", 10)).isEmpty();
    assertThat(journal().idsWithPrefix("0190_", 10)).isEmpty();
    assertThat(journal().idsWithPrefix("f", 10)).isEmpty();
    assertThat(journal().idsWithPrefix("ü", 10)).isEmpty();
  }

  private TaskId put(TaskRow row) {
    journal().commit(Batch.of(journal().takeOver("a")).row(row).build());
    return row.id();
  }

  private List<TaskId> find(
      @Nullable String session,
      @Nullable String label,
      @Nullable String kind,
      Set<StatusWord> statuses,
      @Nullable Boolean active) {
    var sessionId = session == null ? null : session(session);
    return idsOf(journal().rows(new TaskQuery(sessionId, label, kind, statuses, active, null, 10)));
  }
}
