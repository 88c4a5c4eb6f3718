package dev.errand.daemon.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private final EngineFixture fixture = new EngineFixture();
  private static final Scheduler.Limits LIMITS =
      new Scheduler.Limits(2, 3, 1, 2, Duration.ofSeconds(60), 9, Duration.ofSeconds(2));

  private final Scheduler scheduler = new Scheduler(LIMITS, fixture.clock);

  SchedulerTest() {
    fixture.engine.subscribe(scheduler);
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void a_task_enters_while_a_place_is_free() {
    assertThat(scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec())).isTrue();
    assertThat(scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec())).isTrue();
    assertThat(scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec())).isFalse();
  }

  @Test
  void nobody_enters_past_those_who_wait() {
    fixture.queued();

    assertThat(scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec())).isFalse();
  }

  @Test
  void a_full_queue_refuses_and_names_the_limit() {
    for (var i = 0; i < 3; i++) {
      fixture.queued();
    }

    assertThatThrownBy(() -> scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec()))
        .isInstanceOfSatisfying(
            ErrandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
        .hasMessageContaining("max_queued_per_session");
  }

  @Test
  void those_who_wait_run_when_the_limit_is_raised() {
    fixture.running();
    fixture.running();
    var waiting = fixture.queued();
    scheduler.start(fixture.engine, _ -> EngineFixture.CLAIM);

    scheduler.limit(
        new Scheduler.Limits(3, 0, 1, 2, Duration.ofSeconds(60), 9, Duration.ofSeconds(2)));

    await().until(() -> fixture.state(waiting) instanceof TaskState.Claimed);
    assertThatThrownBy(() -> scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec()))
        .hasMessageContaining("max_queued_per_session");
  }

  @Test
  void those_who_wait_run_when_places_become_free_the_oldest_first() {
    var running = List.of(fixture.running(), fixture.running());
    var waiting = new ArrayList<TaskId>();
    for (var i = 0; i < 3; i++) {
      waiting.add(fixture.queued());
    }
    scheduler.start(fixture.engine, _ -> EngineFixture.CLAIM);
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(2, 3, 0));

    end(running.getFirst());

    await().until(() -> fixture.state(waiting.getFirst()) instanceof TaskState.Claimed);
    assertThat(fixture.state(waiting.get(1))).isInstanceOf(TaskState.Queued.class);
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(2, 2, 0));
  }

  @Test
  void a_task_that_is_cancelled_while_it_waits_leaves_the_queue() {
    var taskId = fixture.queued();

    fixture.engine.submit(taskId, EngineFixture.cancel(), null).orThrow();

    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(0, 0, 0));
  }

  @Test
  void a_held_task_takes_no_place_and_nobodys_turn_until_it_is_approved() {
    var held = fixture.held(5_000);
    scheduler.start(fixture.engine, _ -> EngineFixture.CLAIM);
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(0, 0, 1));
    assertThat(scheduler.tryEnter(fixture.ids.nextTask(), EngineFixture.spec())).isTrue();

    fixture.engine.submit(held, new TaskCommand.Approve("ann"), null).orThrow();

    await().until(() -> fixture.state(held) instanceof TaskState.Claimed);
    assertThat(scheduler.load().held()).isZero();
  }

  @Test
  void what_waits_for_a_person_counts_against_the_queue_of_its_session() {
    fixture.held(5_000);
    fixture.held(5_000);
    scheduler.checkHeld(EngineFixture.spec());
    var third = fixture.held(5_000);

    assertThatThrownBy(() -> scheduler.checkHeld(EngineFixture.spec()))
        .hasMessageContaining("max_queued_per_session");

    fixture.engine.submit(third, new TaskCommand.Deny("no", "ann", 2_000), null).orThrow();
    scheduler.checkHeld(EngineFixture.spec());
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(0, 0, 2));
  }

  @Test
  void a_task_that_is_queued_again_is_claimed_again() {
    var taskId = fixture.claimed();
    scheduler.start(fixture.engine, _ -> EngineFixture.CLAIM);

    fixture.engine.submit(taskId, new TaskCommand.HostLeft(1, 2_000), null).orThrow();

    await()
        .until(() ->
            fixture.state(taskId) instanceof TaskState.Claimed it && it.attempt().number() == 2);
  }

  private void end(TaskId taskId) {
    fixture
        .engine
        .submit(
            taskId,
            EngineFixture.report(EngineFixture.output(3, 0, 10), EngineFixture.exited(4, 10)),
            null)
        .orThrow();
  }
}
