package dev.errand.daemon.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.engine.Engine;
import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.daemon.engine.EngineFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A service that does not say when it is ready blocks nobody when it has run for a while. */
final class SettlingServicesTest {
  private static final Scheduler.Limits LIMITS =
      new Scheduler.Limits(9, 9, 1, 9, Duration.ofSeconds(60), 9, Duration.ofSeconds(2));

  /** That of {@link EngineFixture#started}. */
  private static final Instant STARTED = Instant.ofEpochMilli(1_500);

  private final EngineFixture fixture = new EngineFixture();
  private final Scheduler scheduler = new Scheduler(LIMITS, fixture.clock);

  SettlingServicesTest() {
    fixture.engine.subscribe(scheduler);
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static void start(Scheduler scheduler, Engine engine) {
    scheduler.start(engine, _ -> EngineFixture.CLAIM);
  }

  private static TaskSpec service() {
    return EngineFixture.spec()
        .planned(
            new Plan(
                "dev",
                Plan.Priority.NORMAL,
                List.of(),
                List.of(),
                Duration.ZERO,
                null,
                true,
                true,
                null,
                0,
                List.of()));
  }

  private TaskId running(TaskSpec service) {
    var taskId = fixture.running(service);
    start(scheduler, fixture.engine);
    return taskId;
  }

  /** One of the same lane and quota. */
  private TaskId next() {
    var taskId = fixture.ids.nextTask();
    var spec = EngineFixture.spec().planned(Plan.NONE.inLane("dev").counted());
    fixture.engine.submit(taskId, new TaskCommand.Spawn(spec, null), null).orThrow();
    return taskId;
  }

  private static boolean isClaimed(Engine engine, TaskId taskId) {
    return engine.snapshot(taskId).state() instanceof TaskState.Claimed;
  }

  @Test
  void it_leaves_its_lane_and_its_quota_when_it_has_run_for_the_time_that_is_set() {
    running(service());
    var next = next();
    fixture.clock.advance(Duration.ofMillis(2_499));
    assertThat(scheduler.places(List.of(next))).containsKey(next);

    fixture.clock.advance(Duration.ofMillis(1));

    await().until(() -> isClaimed(fixture.engine, next));
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(2, 0, 0));
  }

  @Test
  void five_of_them_in_one_lane_block_nobody() {
    var services = List.of(service(), service(), service(), service(), service());
    services.forEach(fixture::running);
    fixture.clock.set(STARTED.plusSeconds(2));
    start(scheduler, fixture.engine);

    var next = next();

    await().until(() -> isClaimed(fixture.engine, next));
  }

  @Test
  void its_start_is_on_record_so_a_restart_changes_nothing() {
    var service = fixture.running(service());
    var next = next();
    fixture.clock.set(STARTED.plusMillis(1_999));

    var engine = fixture.open();
    try (var second = new Scheduler(LIMITS, fixture.clock)) {
      engine.subscribe(second);
      assertThat(engine.snapshot(service).state()).isInstanceOf(TaskState.Running.class);
      assertThat(engine.snapshot(next).state()).isInstanceOf(TaskState.Queued.class);
      start(second, engine);
      assertThat(second.places(List.of(next))).containsKey(next);
      await().until(() -> fixture.clock.waiting() > 0);

      fixture.clock.advance(Duration.ofMillis(1));

      await().until(() -> isClaimed(engine, next));
    }
  }

  @Test
  void a_time_that_is_set_anew_holds_for_those_that_run() {
    running(service());
    var next = next();

    scheduler.limit(
        new Scheduler.Limits(9, 9, 1, 9, Duration.ofSeconds(60), 9, Duration.ofMillis(1)));
    fixture.clock.advance(Duration.ofMillis(600));

    await().until(() -> isClaimed(fixture.engine, next));
  }

  @Test
  void one_that_says_when_it_is_ready_is_waited_for() {
    var ready = new WatchCondition.Port(80);
    var watching = new WatchSpec(WatchSpec.Notify.DONE_ONLY, List.of(), ready);
    var service = running(service().attending(watching));
    var next = next();

    fixture.clock.advance(Duration.ofHours(1));
    assertThat(scheduler.places(List.of(next))).containsKey(next);

    fixture.engine.submit(service, new TaskCommand.MarkReady("up", 2_000), null).orThrow();
    await().until(() -> isClaimed(fixture.engine, next));
  }

  @Test
  void one_that_ends_early_gives_back_all_that_it_had() {
    var service = running(service());
    var next = next();

    var exited = EngineFixture.report(EngineFixture.output(3, 0, 10), EngineFixture.exited(4, 10));
    fixture.engine.submit(service, exited, null).orThrow();

    await().until(() -> isClaimed(fixture.engine, next));
    assertThat(scheduler.load()).isEqualTo(new Scheduler.Load(1, 0, 0));
  }
}
