package dev.errand.daemon.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunQueueTest {
  private static final long NOW = 1_000_000;
  private static final long STEP = 60_000;

  private final RunQueue queue = new RunQueue(new RunCapacity.Limits(2, 1, 2));

  @Test
  void one_of_a_lane_runs_at_a_time_in_the_order_of_their_spawn() {
    await(task(1, "a", "build"), task(2, "a", "build"));
    start(task(1, "a", "build"));

    assertThat(queue.next()).isNull();

    queue.remove(id(1));
    assertThat(queue.next()).isEqualTo(task(2, "a", "build"));
  }

  @Test
  void lanes_of_one_name_in_two_sessions_are_two_lanes() {
    await(task(1, "a", "build"), task(2, "b", "build"));
    start(task(1, "a", "build"));

    assertThat(queue.next()).isEqualTo(task(2, "b", "build"));
  }

  @Test
  void a_service_that_is_ready_lets_its_lane_go_on() {
    await(task(1, "a", "dev"), task(2, "a", "dev"));
    start(task(1, "a", "dev"));

    queue.enter(task(1, "a", "dev"), true);

    assertThat(queue.next()).isEqualTo(task(2, "a", "dev"));
  }

  @Test
  void a_lanes_head_that_waits_for_another_task_blocks_its_lane() {
    var head = following(1, "a", "build", Set.of(id(9)), Set.of());
    await(head, task(2, "a", "build"));

    assertThat(queue.next()).isNull();

    queue.ended(id(9), null);
    assertThat(queue.next()).isEqualTo(head);
  }

  @Test
  void a_session_at_its_quota_does_not_hold_up_another() {
    await(counted(1, "a"), counted(2, "a"), counted(3, "b"));
    start(counted(1, "a"));

    assertThat(queue.next()).isEqualTo(counted(3, "b"));
  }

  @Test
  void a_task_that_runs_lends_its_place_to_what_it_has_started() {
    var child = below(2, counted(1, "a"));
    var other = below(3, counted(1, "a"));
    var grandchild = below(4, child);
    start(counted(1, "a"));
    await(child, other, grandchild);

    start(child);
    start(grandchild);
    assertThat(queue.next()).as("one at a time").isNull();

    queue.remove(id(2));
    assertThat(queue.next()).as("the last below it still runs").isNull();
    queue.remove(id(4));
    start(other);
    queue.remove(id(1));
    assertThat(queue.admits(counted(9, "a"), NOW)).as("what it had is still taken").isFalse();
    queue.remove(id(3));
    assertThat(queue.admits(counted(9, "a"), NOW)).isTrue();
  }

  @Test
  void a_place_is_lent_in_whatever_order_those_above_are_found_to_run() {
    var parent = counted(1, "a");
    var child = below(2, parent);
    var grandchild = below(3, child);
    await(grandchild);

    start(parent);
    start(child);

    assertThat(queue.next()).isEqualTo(grandchild);
  }

  @Test
  void what_one_lends_reaches_those_whose_parent_is_over_or_counts_nowhere() {
    var first = counted(1, "a");
    start(first);
    start(counted(2, "b"));
    var grandchild = below(4, below(3, first));
    await(counted(5, "a"), grandchild, counted(6, "b"));

    assertThat(queue.next()).isEqualTo(grandchild);
    assertThat(queue.admits(below(7, counted(2, "b")), NOW)).as("after the first").isFalse();
    start(grandchild);
    assertThat(queue.admits(below(7, counted(2, "b")), NOW)).isTrue();
    assertThat(queue.next()).isNull();
  }

  @Test
  void quotas_that_change_open_and_close_sessions() {
    await(counted(1, "a"), counted(2, "a"), counted(3, "a"));
    start(counted(1, "a"));
    assertThat(queue.next()).isNull();

    queue.limit(new RunCapacity.Limits(2, 2, 2));
    assertThat(queue.next()).isEqualTo(counted(2, "a"));

    queue.limit(new RunCapacity.Limits(2, 1, 9));
    assertThat(queue.next()).isNull();
  }

  @Test
  void the_quota_of_all_holds_back_a_session_that_has_room() {
    await(counted(1, "a"), counted(2, "b"), counted(3, "c"));
    start(counted(1, "a"));
    start(counted(2, "b"));

    assertThat(queue.next()).isNull();
    assertThat(place(3).reason()).isEqualTo(QueuePlace.Reason.GLOBAL_QUOTA);

    queue.remove(id(2));
    assertThat(queue.next()).isEqualTo(counted(3, "c"));
  }

  @Test
  void a_ready_service_frees_its_quota_and_takes_a_place() {
    await(counted(1, "a"), counted(2, "a"), task(3, "a", null), task(4, "a", null));
    start(counted(1, "a"));
    start(task(3, "a", null));

    queue.enter(counted(1, "a"), true);

    assertThat(queue.next()).isEqualTo(counted(2, "a"));
    assertThat(place(4).reason()).isEqualTo(QueuePlace.Reason.PLACE);
    start(counted(2, "a"));
    assertThat(queue.next()).isNull();
  }

  @Test
  void what_is_counted_and_what_is_not_take_no_room_from_each_other() {
    start(task(1, "a", null));
    start(task(2, "a", null));
    await(task(3, "a", null), counted(4, "a"));

    assertThat(queue.next()).isEqualTo(counted(4, "a"));
  }

  @Test
  void rank_goes_before_age_and_age_goes_before_all_in_the_end() {
    var low = ranked(1, NOW + 2 * STEP);
    var high = ranked(2, NOW + 1_000);
    var muchLater = ranked(3, NOW + 2 * STEP + 1);
    await(low, high, muchLater);

    assertThat(queue.next()).isEqualTo(high);
    queue.remove(id(2));
    assertThat(queue.next()).isEqualTo(low);
  }

  @Test
  void a_delay_holds_a_task_until_its_time() {
    var later = delayed(1, NOW + 500);
    await(later);

    assertThat(queue.next()).isNull();
    assertThat(queue.nextDueMs()).isEqualTo(NOW + 500);
    assertThat(place(1)).isEqualTo(new QueuePlace(0, QueuePlace.Reason.DELAY, null, NOW + 500));

    queue.at(NOW + 499);
    assertThat(queue.next()).isNull();
    queue.at(NOW + 500);
    assertThat(queue.next()).isEqualTo(later);
    assertThat(queue.nextDueMs()).isNull();
  }

  @Test
  void a_bad_end_dooms_who_was_to_follow_and_frees_who_follows_any_end() {
    var strict = following(1, "a", null, Set.of(id(9)), Set.of());
    var easy = following(2, "a", null, Set.of(), Set.of(id(9)));
    await(strict, easy);

    queue.ended(id(9), "failed");

    assertThat(queue.unstartable(10))
        .containsExactly(Map.entry(id(1), new RunQueue.Unstartable(id(9), "failed")));
    assertThat(queue.next()).isEqualTo(easy);
    queue.remove(id(1));
    assertThat(queue.unstartable(10)).isEmpty();
  }

  @Test
  void all_that_it_follows_must_be_over() {
    var both = following(1, "a", null, Set.of(id(8)), Set.of(id(9)));
    await(both);

    queue.ended(id(9), "failed");
    assertThat(queue.next()).isNull();
    assertThat(place(1).alone()).isEqualTo(new QueuePlace(0, QueuePlace.Reason.AFTER, id(8), 0));
    assertThat(place(1).ahead().tasks()).containsExactly(id(8));

    queue.ended(id(8), null);
    assertThat(queue.next()).isEqualTo(both);
    assertThat(queue.isFollowed(id(8))).isFalse();
  }

  @Test
  void who_comes_now_enters_at_once_only_where_nothing_holds_it_back() {
    assertThat(queue.admits(task(1, "a", "x"), NOW)).isTrue();
    assertThat(queue.admits(delayed(1, NOW + 1), NOW)).isFalse();
    assertThat(queue.admits(following(1, "a", null, Set.of(id(9)), Set.of()), NOW)).isFalse();

    start(task(1, "a", "x"));
    assertThat(queue.admits(task(2, "a", "x"), NOW)).isFalse();
    assertThat(queue.admits(task(2, "a", "y"), NOW)).isTrue();

    start(counted(3, "a"));
    assertThat(queue.admits(counted(4, "a"), NOW)).isFalse();
    assertThat(queue.admits(counted(4, "b"), NOW)).isTrue();

    await(task(5, "a", null));
    assertThat(queue.admits(task(6, "a", null), NOW)).isFalse();
  }

  @Test
  void positions_count_those_that_wait_for_the_same() {
    start(task(1, "a", "x"));
    start(counted(2, "a"));
    await(task(3, "a", "x"), task(4, "a", "x"), counted(5, "a"), counted(6, "a"));

    assertThat(place(3).alone()).isEqualTo(new QueuePlace(1, QueuePlace.Reason.LANE, id(1), 0));
    assertThat(place(4).alone()).isEqualTo(new QueuePlace(2, QueuePlace.Reason.LANE, id(3), 0));
    assertThat(place(5).alone())
        .isEqualTo(new QueuePlace(1, QueuePlace.Reason.SESSION_QUOTA, null, 0));
    assertThat(place(6).alone())
        .isEqualTo(new QueuePlace(2, QueuePlace.Reason.SESSION_QUOTA, null, 0));
    assertThat(queue.places(List.of(id(1), id(77)))).isEmpty();
  }

  @Test
  void who_waits_for_its_lane_is_told_who_runs_and_how_many_come_first() {
    start(labelled(task(1, "a", "x"), "build"));
    await(task(2, "a", "x"), task(3, "a", "x"));

    assertThat(place(2).ahead())
        .isEqualTo(new QueuePlace.Ahead(0, 1, List.of(id(1)), 0, Map.of(id(1), "build")));
    assertThat(place(3).ahead())
        .isEqualTo(new QueuePlace.Ahead(1, 1, List.of(id(1)), 0, Map.of(id(1), "build")));
  }

  @Test
  void who_waits_for_a_quota_is_told_five_of_those_who_have_it_and_how_many_more() {
    queue.limit(new RunCapacity.Limits(2, 7, 9));
    for (var number = 1; number <= 7; number++) {
      start(counted(number, "a"));
    }
    await(counted(8, "a"), counted(9, "a"));

    assertThat(place(9).ahead())
        .isEqualTo(
            new QueuePlace.Ahead(1, 7, List.of(id(1), id(2), id(3), id(4), id(5)), 2, Map.of()));
  }

  @Test
  void of_other_sessions_no_task_is_named() {
    queue.limit(new RunCapacity.Limits(2, 2, 2));
    start(counted(1, "a"));
    start(counted(2, "b"));
    start(task(3, "b", null));
    start(task(4, "a", null));
    await(counted(5, "a"), task(6, "a", null));

    assertThat(place(5).ahead()).isEqualTo(new QueuePlace.Ahead(0, 2, List.of(id(1)), 1, Map.of()));
    assertThat(place(6).ahead()).isEqualTo(new QueuePlace.Ahead(0, 2, List.of(), 2, Map.of()));
  }

  @Test
  void a_service_that_is_released_frees_its_lane_and_its_quota() {
    start(counted(1, "a"));
    await(counted(2, "a"));

    queue.release(id(1));
    queue.release(id(77));

    assertThat(queue.next()).isEqualTo(counted(2, "a"));
  }

  @Test
  void a_task_that_begins_to_count_may_pass_the_quota_and_lets_nobody_in_before_it_is_over() {
    start(counted(1, "a").uncounted());
    start(counted(2, "a"));
    await(counted(3, "a"));

    queue.recount(counted(1, "a"), NOW);
    assertThat(place(3).ahead())
        .isEqualTo(new QueuePlace.Ahead(0, 1, List.of(id(1), id(2)), 0, Map.of()));
    queue.remove(id(2));
    assertThat(queue.next()).isNull();
    queue.remove(id(1));
    assertThat(queue.next()).isEqualTo(counted(3, "a"));
  }

  private static QueueEntry labelled(QueueEntry it, String label) {
    return new QueueEntry(
        it.id(),
        it.kind(),
        it.session(),
        it.lane(),
        it.rankMs(),
        it.counted(),
        it.dueMs(),
        it.after(),
        it.afterAny(),
        it.above(),
        label);
  }

  private QueuePlace place(int number) {
    var place = queue.places(List.of(id(number))).get(id(number));
    assertThat(place).isNotNull();
    return Objects.requireNonNull(place);
  }

  private void await(QueueEntry... entrants) {
    for (var it : entrants) {
      queue.await(it, NOW);
    }
  }

  private void start(QueueEntry entry) {
    queue.enter(entry, false);
  }

  private static QueueEntry task(int number, String session, @Nullable String lane) {
    return entry(number, session, lane, NOW + number, false, 0);
  }

  private static QueueEntry counted(int number, String session) {
    return entry(number, session, null, NOW + number, true, 0);
  }

  private static QueueEntry below(int number, QueueEntry parent) {
    var above = new ArrayList<>(List.of(parent.id()));
    above.addAll(parent.above());
    return new QueueEntry(
        id(number),
        TaskKind.COMMAND,
        parent.session(),
        null,
        NOW + number,
        true,
        0,
        Set.of(),
        Set.of(),
        above);
  }

  private static QueueEntry ranked(int number, long rankMs) {
    return entry(number, "a", null, rankMs, false, 0);
  }

  private static QueueEntry delayed(int number, long dueMs) {
    return entry(number, "a", null, NOW + number, false, dueMs);
  }

  private static QueueEntry entry(
      int number, String session, @Nullable String lane, long rankMs, boolean counted, long dueMs) {
    return new QueueEntry(
        id(number),
        TaskKind.COMMAND,
        new SessionId(session),
        lane,
        rankMs,
        counted,
        dueMs,
        Set.of(),
        Set.of(),
        List.of());
  }

  private static QueueEntry following(
      int number, String session, @Nullable String lane, Set<TaskId> after, Set<TaskId> any) {
    return new QueueEntry(
        id(number),
        TaskKind.COMMAND,
        new SessionId(session),
        lane,
        NOW + number,
        false,
        0,
        after,
        any,
        List.of());
  }

  private static TaskId id(int number) {
    return new TaskId("00000000-0000-7000-8000-%012d".formatted(number));
  }
}
