package dev.errand.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of an inbox that is too long. */
final class MergeTest {

  @Test
  void an_inbox_within_its_budget_is_left_alone() {
    assertThat(Merge.plan(List.of(hit("1", 1, "e"), hit("2", 1, "e")), 2)).isEmpty();
  }

  @Test
  void hits_of_one_watcher_become_the_newest_of_them() {
    var notices =
        List.of(hit("1", 1, "e"), hit("2", 1, "e").standingFor(5), hit("3", 1, "f"), end("4", 2));

    assertThat(Merge.plan(notices, 3))
        .containsExactly(new Merge(hit("2", 1, "e").standingFor(6), List.of("1")));
  }

  @Test
  void if_that_is_not_enough_all_of_a_task_become_the_newest() {
    var notices =
        List.of(hit("1", 1, "e"), hit("2", 2, "e"), hit("3", 1, "f"), end("4", 1), end("5", 3));

    assertThat(Merge.plan(notices, 3))
        .containsExactly(new Merge(end("4", 1).standingFor(3), List.of("1", "3")));
  }

  @Test
  void one_for_each_task_is_never_merged_further() {
    var notices = List.of(end("1", 1), end("2", 2), end("3", 3));

    assertThat(Merge.plan(notices, 1)).isEmpty();
  }

  @Test
  void nothing_is_dropped() {
    var notices =
        Stream.iterate(1, it -> it + 1)
            .limit(500)
            .map(it -> hit("" + it, it % 7, "e" + it % 3))
            .toList();
    var merges = Merge.plan(notices, 100);
    var kept = merges.stream().mapToInt(it -> it.kept().merged()).sum();

    assertThat(kept).isEqualTo(500);
    assertThat(merges).hasSize(21);
  }

  private static Notice hit(String id, int task, String event) {
    return notice(id, task, Notice.Kind.WATCHER, event);
  }

  private static Notice end(String id, int task) {
    return notice(id, task, Notice.Kind.ENDED, null);
  }

  private static Notice notice(String id, int task, Notice.Kind kind, @Nullable String event) {
    var taskId = new TaskId("00000000-0000-7000-8000-00000000000" + task);
    return new Notice(
        id,
        new Notice.Subject(new SessionId("s"), taskId, null),
        kind,
        event,
        new Notice.Standing(StatusWord.RUNNING, null, 0),
        1,
        1,
        1);
  }
}
