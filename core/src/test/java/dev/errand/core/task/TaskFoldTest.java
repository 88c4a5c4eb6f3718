package dev.errand.core.task;

import static dev.errand.core.task.Given.given;
import static dev.errand.core.task.Samples.ENDED_AT;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.ended;
import static dev.errand.core.task.Samples.exit;
import static dev.errand.core.task.Samples.exitedFact;
import static dev.errand.core.task.Samples.output;
import static dev.errand.core.task.Samples.outputFact;
import static dev.errand.core.task.Samples.report;
import static dev.errand.core.task.Samples.spawned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

final class TaskFoldTest {

  @Test
  void an_event_of_a_newer_program_counts_as_a_frame_and_changes_nothing_else() {
    var before = (TaskState.Running) given(spawned(), attempted(1), begun()).state();
    var unknown = new TaskEvent.Unknown("tool_task_dreamt");
    var after = (TaskState.Running) TaskFold.evolve(before, unknown, ENDED_AT);

    assertThat(after.facts().frames()).isEqualTo(before.facts().frames() + 1);
    assertThat(after.facts()).isEqualTo(before.facts().counted());
    assertThat(after.attempt()).isEqualTo(before.attempt());
  }

  @Test
  void a_task_with_an_unknown_event_goes_on_to_its_end() {
    given(spawned(), attempted(1), new TaskEvent.Unknown("x"), begun())
        .when(report(outputFact(3, LogStream.STDOUT, 0, 5), exitedFact(4, exit(0))))
        .then(output(3, LogStream.STDOUT, 0, 5), ended(new End.Exited(exit(0), Samples.ENDED_AT)));
  }

  @Test
  void a_task_begins_by_being_spawned() {
    assertThatIllegalStateException()
        .isThrownBy(() -> TaskFold.evolve(new TaskState.Absent(), attempted(1), 0));
    assertThatIllegalStateException().isThrownBy(() -> given(spawned(), spawned()));
  }

  @Test
  void nothing_follows_the_end() {
    var over = given(spawned(), attempted(1), ended(new End.Exited(exit(0), ENDED_AT))).state();

    assertThatIllegalStateException().isThrownBy(() -> TaskFold.evolve(over, begun(), 0));
  }

  @Test
  void the_time_of_spawning_is_that_of_its_frame() {
    var state = TaskFold.evolve(new TaskState.Absent(), spawned(), 1_234);

    assertThat(state.facts().spawnedAtMs()).isEqualTo(1_234);
    assertThat(state.facts().everStarted()).isFalse();
  }
}
