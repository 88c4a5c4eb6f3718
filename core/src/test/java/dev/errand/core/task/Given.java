package dev.errand.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrorCode;
import java.util.List;

/** Given these events, when that command comes, then this is decided. */
final class Given {
  private final TaskState state;

  private Given(TaskState state) {
    this.state = state;
  }

  static Given given(TaskEvent... events) {
    return new Given(fold(new TaskState.Absent(), List.of(events)));
  }

  TaskState state() {
    return state;
  }

  When when(TaskCommand command) {
    return new When(state, TaskDecider.decide(state, command));
  }

  static TaskState fold(TaskState state, List<TaskEvent> events) {
    for (var event : events) {
      state = TaskFold.evolve(state, event, Samples.STARTED_AT);
    }
    return state;
  }

  /** What was decided, on that state. */
  record When(TaskState before, Decision decision) {

    /** Accepted, with just these events. */
    Given then(TaskEvent... expected) {
      assertThat(events()).containsExactly(expected);
      return after();
    }

    Given thenNothing() {
      return then();
    }

    void thenRefused(ErrorCode code) {
      assertThat(decision)
          .isInstanceOfSatisfying(
              Decision.Refused.class, it -> assertThat(it.code()).isEqualTo(code));
    }

    List<TaskEvent> events() {
      assertThat(decision).isInstanceOf(Decision.Accepted.class);
      return ((Decision.Accepted) decision).events();
    }

    /** Where the task stands once that has happened; also shows that the fold takes it. */
    Given after() {
      return new Given(fold(before, events()));
    }
  }
}
