package dev.errand.daemon.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.End;
import dev.errand.core.task.Plan;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a task's plan says, as the scheduler carries it out on real frames. */
class SchedulerPlanTest {
  private static final Scheduler.Limits LIMITS =
      new Scheduler.Limits(9, 9, 1, 2, Duration.ofSeconds(60), 9, Duration.ofHours(1));

  private final EngineFixture fixture = new EngineFixture();
  private final Scheduler scheduler = new Scheduler(LIMITS, fixture.clock);

  SchedulerPlanTest() {
    fixture.engine.subscribe(scheduler);
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void a_lane_goes_on_when_its_task_is_over() {
    var first = spawn(lane("build"));
    var second = spawn(lane("build"));
    start();
    await().until(() -> isClaimed(first));
    assertThat(place(second)).isEqualTo(new QueuePlace(1, QueuePlace.Reason.LANE, first, 0));

    end(first);

    await().until(() -> isClaimed(second));
  }

  @Test
  void a_lane_goes_on_when_its_service_is_ready() {
    var service = spawn(service("dev"));
    var next = spawn(lane("dev"));
    start();
    await().until(() -> isClaimed(service));
    submit(service, EngineFixture.report(EngineFixture.started()));

    submit(service, new TaskCommand.MarkReady("listening", 2_000));

    await().until(() -> isClaimed(next));
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(2, 0, 0));
  }

  @Test
  void a_quota_counts_only_what_tools_started() {
    var first = spawn(Plan.NONE.counted());
    var second = spawn(Plan.NONE.counted());
    var ordinary = spawn(Plan.NONE);
    start();

    await().until(() -> isClaimed(first) && isClaimed(ordinary));
    assertThat(place(second))
        .isEqualTo(new QueuePlace(1, QueuePlace.Reason.SESSION_QUOTA, null, 0));

    end(first);
    await().until(() -> isClaimed(second));
  }

  @Test
  void a_task_that_waits_for_what_it_has_started_does_not_wait_for_ever() {
    var counted = Plan.NONE.counted();
    var parent = spawn(counted);
    start();
    await().until(() -> isClaimed(parent));
    var other = spawn(counted);
    var child = spawn(counted.below(parent, counted));

    await().until(() -> isClaimed(child));
    end(parent);
    assertThat(place(other))
        .as("its place is the child's now")
        .isEqualTo(new QueuePlace(1, QueuePlace.Reason.SESSION_QUOTA, null, 0));
    assertThat(whole(other).ahead().tasks()).containsExactly(child);

    end(child);
    await().until(() -> isClaimed(other));
  }

  @Test
  void a_task_starts_when_the_one_that_it_follows_ended_well() {
    var first = spawn(Plan.NONE);
    var second = spawn(after(first));
    start();
    await().until(() -> isClaimed(first));
    assertThat(fixture.state(second)).isInstanceOf(TaskState.Queued.class);

    end(first);

    await().until(() -> isClaimed(second));
  }

  @Test
  void a_task_fails_with_the_one_that_it_follows_and_says_so() {
    var first = spawn(Plan.NONE);
    var second = spawn(after(first));
    var third = spawn(after(second));
    var any = spawn(afterAny(first));
    start();
    await().until(() -> isClaimed(first));

    submit(first, new TaskCommand.HostLost(1, List.of(), List.of(), List.of(), 2_000));

    await().until(() -> fixture.state(third) instanceof TaskState.Ended);
    assertThat(((TaskState.Ended) fixture.state(second)).end())
        .isInstanceOfSatisfying(
            End.NotStarted.class,
            it -> {
              assertThat(it.reason()).isEqualTo("dependency_failed");
              assertThat(it.message()).contains(first.value(), "failed");
            });
    await().until(() -> isClaimed(any));
  }

  @Test
  void what_was_over_before_counts_too() {
    var ended = fixture.ended();
    start();

    var next = spawn(after(ended));

    await().until(() -> isClaimed(next));
  }

  @Test
  void a_damaged_row_does_not_make_an_end_a_bad_one() {
    var ended = fixture.ended();
    fixture.journal.damageRow(ended);
    start();

    var next = spawn(after(ended));

    await().until(() -> isClaimed(next));
  }

  @Test
  void an_end_that_cannot_be_read_holds_up_only_those_that_follow_it() {
    var unreadable = fixture.ended();
    var readable = fixture.ended();
    fixture.journal.makeUnreadable(unreadable);
    start();

    var waits = spawn(after(unreadable));
    var goesOn = spawn(after(readable));
    var both = spawn(after(readable, unreadable));
    await().until(() -> isClaimed(goesOn));
    assertThat(fixture.state(waits)).isInstanceOf(TaskState.Queued.class);

    fixture.journal.makeReadable(unreadable);
    fixture.clock.advance(Duration.ofSeconds(1));
    await().until(() -> isClaimed(waits) && isClaimed(both));
  }

  @Test
  void a_task_that_was_removed_meanwhile_fails_who_was_to_follow_it() {
    var ended = fixture.ended();
    fixture.engine.remove(ended, "old", "ann", null).orThrow();
    start();

    var next = spawn(after(ended));
    var any = spawn(afterAny(ended));

    await().until(() -> fixture.state(next) instanceof TaskState.Ended);
    assertThat(((TaskState.Ended) fixture.state(next)).end())
        .isInstanceOfSatisfying(
            End.NotStarted.class, it -> assertThat(it.message()).contains("removed"));
    await().until(() -> isClaimed(any));
  }

  @Test
  void a_delay_runs_on_the_wall_clock_and_over_a_restart() {
    var later = spawn(delayed(Duration.ofSeconds(30)));
    fixture.clock.set(Instant.ofEpochMilli(31_000));

    var engine = fixture.open();
    assertThat(engine.snapshot(later).state()).isInstanceOf(TaskState.Queued.class);
    engine.subscribe(scheduler);
    start(engine);

    await().until(() -> engine.snapshot(later).state() instanceof TaskState.Claimed);
  }

  @Test
  void a_task_whose_host_is_gone_waits_for_its_lane_only() {
    var first = spawn(after(fixture.ended()));
    start();
    await().until(() -> isClaimed(first));
    fixture.engine.remove(onlyEnded(), "old", "ann", null).orThrow();

    submit(first, new TaskCommand.HostLeft(1, 2_000));

    await()
        .until(() ->
            fixture.state(first) instanceof TaskState.Claimed it && it.attempt().number() == 2);
  }

  private TaskId onlyEnded() {
    return fixture.journal.oldestEnded(1).getFirst().id();
  }

  private void start() {
    start(fixture.engine);
  }

  @Test
  void a_line_that_stands_still_lets_nobody_in_and_keeps_who_waits() {
    var first = spawn(lane("build"));
    var second = spawn(lane("build"));
    var unstartable = spawn(after(second));
    var held = fixture.held(5_000);
    start();
    await().until(() -> isClaimed(first));

    scheduler.standStill();

    assertStopping(() -> scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec()));
    assertStopping(() -> scheduler.checkHeld(EngineFixture.spec()));
    end(first);
    submit(held, new TaskCommand.Approve("ann"));
    var third = spawn(lane("build"));
    submit(second, EngineFixture.cancel());
    // What can never start is ended all the same, which shows that the worker has looked.
    await().until(() -> fixture.state(unstartable) instanceof TaskState.Ended);
    assertThat(fixture.state(held)).isInstanceOf(TaskState.Queued.class);
    assertThat(fixture.state(third)).isInstanceOf(TaskState.Queued.class);
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(0, 2, 0));
  }

  private static void assertStopping(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.SHUTTING_DOWN));
  }

  private void start(Engine engine) {
    scheduler.start(engine, _ -> EngineFixture.CLAIM);
  }

  private QueuePlace place(TaskId taskId) {
    return whole(taskId).alone();
  }

  private QueuePlace whole(TaskId taskId) {
    return Objects.requireNonNull(scheduler.places(List.of(taskId)).get(taskId));
  }

  private TaskId spawn(Plan plan) {
    var taskId = fixture.ids.nextTask();
    submit(taskId, new TaskCommand.Spawn(EngineFixture.spec().planned(plan), null));
    return taskId;
  }

  private void submit(TaskId taskId, TaskCommand command) {
    fixture.engine.submit(taskId, command, null).orThrow();
  }

  private void end(TaskId taskId) {
    submit(
        taskId,
        EngineFixture.report(
            EngineFixture.started(), EngineFixture.output(3, 0, 10), EngineFixture.exited(4, 10)));
  }

  private boolean isClaimed(TaskId taskId) {
    return fixture.state(taskId) instanceof TaskState.Claimed;
  }

  private static Plan lane(String name) {
    return Plan.NONE.inLane(name);
  }

  private static Plan service(String lane) {
    return plan(lane, List.of(), List.of(), Duration.ZERO, true);
  }

  private static Plan after(TaskId... taskIds) {
    return plan(null, List.of(taskIds), List.of(), Duration.ZERO, false);
  }

  private static Plan afterAny(TaskId taskId) {
    return plan(null, List.of(), List.of(taskId), Duration.ZERO, false);
  }

  private static Plan delayed(Duration delay) {
    return plan(null, List.of(), List.of(), delay, false);
  }

  private static Plan plan(
      @Nullable String lane,
      List<TaskId> after,
      List<TaskId> afterAny,
      Duration delay,
      boolean service) {
    return new Plan(
        lane,
        Plan.Priority.NORMAL,
        after,
        afterAny,
        delay,
        null,
        false,
        service,
        null,
        0,
        List.of());
  }
}
