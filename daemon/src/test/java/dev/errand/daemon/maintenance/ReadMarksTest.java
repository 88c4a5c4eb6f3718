package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.engine.EngineFixture;
import org.junit.jupiter.api.Test;

/** Reading results, as far as inboxes see it. */
final class ReadMarksTest {
  private final EngineFixture fixture = new EngineFixture();

  @Test
  void a_result_that_was_read_is_told_no_more_and_others_are() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var read = fixture.ended();
      fixture.ended();
      marks.read(read, "ann");
      marks.settle();

      assertThat(unread()).isEqualTo(1);
      assertThat(readAt(read)).isPositive();
    }
  }

  @Test
  void a_task_that_runs_on_has_no_result_to_read() throws InterruptedException {
    try (var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock)) {
      marks.start();
      var held = fixture.held(9_000);
      marks.read(held, "ann");
      marks.settle();

      assertThat(unread()).isEqualTo(1);
      assertThat(readAt(held)).isZero();
    }
  }

  private long unread() {
    return fixture.journal.unacknowledged(EngineFixture.SESSION);
  }

  private long readAt(TaskId taskId) {
    return fixture.journal.row(taskId).orElseThrow().lifetime().readAtMs();
  }
}
