package dev.errand.daemon.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.End;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ApprovalTimerTest {
  private final EngineFixture fixture = new EngineFixture();

  @Test
  void a_question_that_nobody_answers_ends_its_task_when_its_time_is_over() {
    try (var timer = new ApprovalTimer(fixture.clock)) {
      fixture.engine.subscribe(timer);
      timer.start(fixture.engine);
      var soon = fixture.held(5_000);
      var later = fixture.held(9_000);

      fixture.clock.advance(Duration.ofSeconds(4));

      await().until(() -> fixture.state(soon) instanceof TaskState.Ended);
      assertThat(((TaskState.Ended) fixture.state(soon)).end())
          .isEqualTo(new End.ApprovalExpired(5_000));
      assertThat(fixture.state(later)).isInstanceOf(TaskState.Held.class);
    }
  }

  @Test
  void the_time_goes_on_while_no_daemon_runs() {
    var taskId = fixture.held(5_000);
    fixture.clock.set(Instant.ofEpochMilli(6_000));

    var engine = fixture.open();
    var found = engine.snapshot(taskId).state();
    try (var timer = new ApprovalTimer(fixture.clock)) {
      engine.subscribe(timer);
      timer.start(engine);

      assertThat(found).isInstanceOf(TaskState.Held.class);
      await().until(() -> engine.snapshot(taskId).state() instanceof TaskState.Ended);
    }
  }

  @Test
  void an_answer_takes_the_task_from_the_timer() {
    try (var timer = new ApprovalTimer(fixture.clock)) {
      fixture.engine.subscribe(timer);
      timer.start(fixture.engine);
      var approved = fixture.held(5_000);
      fixture.engine.submit(approved, new TaskCommand.Approve("ann"), null).orThrow();
      var last = fixture.held(5_000);

      fixture.clock.advance(Duration.ofMillis(4_001));

      await().until(() -> fixture.state(last) instanceof TaskState.Ended);
      assertThat(fixture.state(approved)).isInstanceOf(TaskState.Queued.class);
    }
  }
}
