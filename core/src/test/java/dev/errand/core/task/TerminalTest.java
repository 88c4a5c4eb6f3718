package dev.errand.core.task;

import static dev.errand.core.task.Given.given;
import static dev.errand.core.task.LogStream.PTY;
import static dev.errand.core.task.LogStream.STDOUT;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.outputFact;
import static dev.errand.core.task.Samples.report;
import static dev.errand.core.task.Samples.spawned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A task with a terminal: its one stream, its size, and what was written before it changed. */
final class TerminalTest {
  private static final TerminalSize LARGE = new TerminalSize(50, 132);
  private static final TaskEvent RESIZED = new TaskEvent.Resized(4, "op", LARGE, "ann");

  @Test
  void a_terminal_has_one_stream_and_always_input() {
    var command = (Command) spec(100).work();

    assertThat(command.streams()).containsExactly(PTY);
    assertThat(command.io().stdin()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_size_belongs_to_a_terminal_and_to_nothing_else(boolean terminal) {
    var mode = terminal ? Command.ExecutionMode.PTY : Command.ExecutionMode.PIPES;
    var size = terminal ? null : TerminalSize.DEFAULT;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Command.Io(mode, true, 1, Command.OnOutputLimit.TRUNCATE, 1, size));
  }

  @ParameterizedTest
  @CsvSource({"0, 80", "24, 0", "1001, 80", "24, 1001", "-1, 80"})
  void a_size_that_no_screen_has_is_refused(int rows, int cols) {
    assertThatIllegalArgumentException().isThrownBy(() -> new TerminalSize(rows, cols));
  }

  @Test
  void the_size_is_the_last_one_and_each_attempt_begins_with_the_first() {
    assertThat(size(begun())).isEqualTo(TerminalSize.DEFAULT);
    assertThat(size(begun(), RESIZED)).isEqualTo(LARGE);
    assertThat(size(begun(), RESIZED, new TaskEvent.Requeued(1, "lost", List.of()), attempted(2)))
        .isEqualTo(TerminalSize.DEFAULT);
  }

  private static @Nullable TerminalSize size(TaskEvent... events) {
    TaskState.Present state =
        TaskFold.evolve(new TaskState.Absent(), new TaskEvent.Spawned(spec(100)), 0);
    state = TaskFold.evolve(state, attempted(1), 0);
    for (var event : events) {
      state = TaskFold.evolve(state, event, 0);
    }
    return state.facts().terminal();
  }

  @Test
  void a_resize_comes_behind_all_that_was_written_before_it() {
    // The record of what was written last is missing.
    given(new TaskEvent.Spawned(spec(100)), attempted(1), begun())
        .when(report(outputFact(3, PTY, 0, 10), new HostFact.Resized(1, 5, "op", LARGE, "ann", 15)))
        .then(
            new TaskEvent.Output(3, PTY, 0, 10, 10, 3, Samples.preview(10)),
            new TaskEvent.Output(5, PTY, 10, 5, 15, null, Preview.NONE),
            new TaskEvent.Resized(5, "op", LARGE, "ann"));
  }

  @Test
  void pipes_have_no_size_to_change() {
    given(spawned(), attempted(1), begun())
        .when(report(new HostFact.Resized(1, 3, "op", LARGE, "ann", 0)))
        .thenNothing();
  }

  @Test
  void output_keeps_the_time_at_which_its_host_wrote_it_down() {
    given(spawned(), attempted(1), begun())
        .when(report(new HostFact.Output(1, 3, STDOUT, 0, 1, 3, Samples.preview(1), 777)))
        .then(new TaskEvent.Output(3, STDOUT, 0, 1, 1, 3, Samples.preview(1), 777));
  }

  private static TaskSpec spec(long framesMax) {
    return Samples.onTerminal(Samples.spec(Command.OnRestart.LOST, framesMax));
  }
}
