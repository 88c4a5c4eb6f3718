package dev.errand.daemon.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.Plan;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A command that a call waits for takes no quota until the call is over. */
final class WaitedCallsTest {
  /** A quota of one for each session. */
  private static final Scheduler.Limits LIMITS =
      new Scheduler.Limits(3, 9, 1, 9, Duration.ofSeconds(60), 2, Duration.ofSeconds(2));

  private static final Plan COUNTED = Plan.NONE.counted();

  private final EngineFixture fixture = new EngineFixture();
  private final Scheduler scheduler = new Scheduler(LIMITS, fixture.clock);

  WaitedCallsTest() {
    fixture.engine.subscribe(scheduler);
    start(scheduler, fixture.engine);
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static void start(Scheduler scheduler, Engine engine) {
    scheduler.start(engine, _ -> EngineFixture.CLAIM);
  }

  private static TaskSpec spec(Plan plan) {
    return EngineFixture.spec().planned(plan);
  }

  private TaskId background() {
    var taskId = fixture.ids.nextTask();
    submit(fixture.engine, taskId, new TaskCommand.Spawn(spec(COUNTED), null));
    return taskId;
  }

  /** The command of a call, which starts at once or is refused. */
  private TaskId call() {
    var taskId = fixture.ids.nextTask();
    var spec = spec(COUNTED.waitedFor());
    assertThat(scheduler.tryEnter(taskId, spec)).isTrue();
    submit(fixture.engine, taskId, new TaskCommand.Spawn(spec, EngineFixture.CLAIM));
    return taskId;
  }

  private void end(TaskId taskId) {
    submit(
        fixture.engine,
        taskId,
        EngineFixture.report(
            EngineFixture.started(), EngineFixture.output(3, 0, 10), EngineFixture.exited(4, 10)));
  }

  private static void submit(Engine engine, TaskId taskId, TaskCommand command) {
    engine.submit(taskId, command, null).orThrow();
  }

  private boolean isClaimed(TaskId taskId) {
    return fixture.state(taskId) instanceof TaskState.Claimed;
  }

  private static QueuePlace place(Scheduler scheduler, TaskId taskId) {
    return Objects.requireNonNull(scheduler.places(List.of(taskId)).get(taskId));
  }

  @Test
  void a_call_runs_its_command_however_full_its_session_is() {
    var running = background();
    await().until(() -> isClaimed(running));
    var waiting = background();

    var called = call();

    assertThat(isClaimed(called)).isTrue();
    assertThat(place(scheduler, waiting).ahead().tasks()).containsExactly(running);
    end(running);
    await().until(() -> isClaimed(waiting));
  }

  @Test
  void what_goes_on_after_its_call_counts_above_the_quota_until_it_is_over() {
    var running = background();
    await().until(() -> isClaimed(running));
    var called = call();
    var waiting = background();

    scheduler.callEnded(called);

    assertThat(place(scheduler, waiting).ahead().tasks()).containsExactly(running, called);
    end(running);
    assertThat(place(scheduler, waiting).ahead().tasks()).containsExactly(called);
    end(called);
    await().until(() -> isClaimed(waiting));
  }

  @Test
  void a_call_that_is_over_with_its_command_changes_nothing() {
    var called = call();
    end(called);

    scheduler.callEnded(called);

    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(0, 0, 0));
  }

  @Test
  void a_command_whose_host_is_gone_before_its_start_starts_again_without_a_quota() {
    var running = background();
    await().until(() -> isClaimed(running));
    var called = call();

    submit(fixture.engine, called, new TaskCommand.HostLeft(1, 2_000));

    await()
        .until(() ->
            fixture.state(called) instanceof TaskState.Claimed it && it.attempt().number() == 2);
  }

  @Test
  void no_call_outlives_its_daemon_so_its_command_counts_after_a_restart() {
    var called = call();

    var engine = fixture.open();
    try (var next = new Scheduler(LIMITS, fixture.clock)) {
      engine.subscribe(next);
      assertThat(engine.snapshot(called).state()).isInstanceOf(TaskState.Claimed.class);
      start(next, engine);
      var waiting = fixture.ids.nextTask();
      submit(engine, waiting, new TaskCommand.Spawn(spec(COUNTED), null));

      assertThat(place(next, waiting).reason()).isEqualTo(QueuePlace.Reason.SESSION_QUOTA);
      assertThat(place(next, waiting).ahead().tasks()).containsExactly(called);
    }
  }

  @Test
  void a_session_waits_for_a_limited_number_of_commands_and_the_refusal_names_them() {
    var first = call();
    var second = call();

    assertThatThrownBy(this::call)
        .isInstanceOfSatisfying(
            ErrandException.class,
            it -> {
              assertThat(it.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
              assertThat(it.code().retryable()).isTrue();
            })
        .hasMessage(
            "session s1 waits for 2 commands, which is the limit (max_waited_calls_per_session):"
                + " %s (\"build\"), %s (\"build\"); try again when one of them is over, cancel one, or"
                    .formatted(first.brief(), second.brief())
                + " start this one in the background");

    scheduler.callEnded(first);
    end(call());
    call();
  }

  @Test
  void where_no_place_is_free_a_call_is_refused_and_told_who_has_them() {
    var first = call();
    var others = List.of(fixture.queued(), fixture.queued());
    others.forEach(it -> await().until(() -> isClaimed(it)));

    assertThatThrownBy(this::call)
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
        .hasMessageContaining("all 3 places for commands are taken (max_running_commands)")
        .hasMessageContaining(first.brief())
        .hasMessageContaining("try again");
    end(others.getFirst());
    call();
  }
}
