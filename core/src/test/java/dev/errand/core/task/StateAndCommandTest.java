package dev.errand.core.task;

import static dev.errand.core.task.Samples.CLAIM;
import static dev.errand.core.task.Samples.ENDED_AT;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.ended;
import static dev.errand.core.task.Samples.exit;
import static dev.errand.core.task.Samples.output;
import static dev.errand.core.task.Samples.preview;
import static dev.errand.core.task.Samples.report;
import static dev.errand.core.task.Samples.spawned;
import static dev.errand.core.task.Samples.startedFact;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every state with every command, so that no pair is left to chance. */
final class StateAndCommandTest {

  /** Each line a state, each column a command; what happens, or the code of the refusal. */
  private static final String TABLE =
      """
              | Spawn           | Approve        | Deny           | ApprovalExpired | OnHost         | Cancel                            | Report         | Index  | HostLeft | HostLost | OutputLost | Watched        | MarkReady      | DependencyFailed | RecordDamaged | SeePrompt
      Absent  | Spawned         | TASK_NOT_FOUND | TASK_NOT_FOUND | -               | TASK_NOT_FOUND | TASK_NOT_FOUND                    | TASK_NOT_FOUND | -      | -        | -        | TASK_NOT_FOUND | TASK_NOT_FOUND | TASK_NOT_FOUND | TASK_NOT_FOUND | TASK_NOT_FOUND | TASK_NOT_FOUND
      Held    | INVALID_REQUEST | Approved       | Denied, Ended  | Ended           | -              | CancelRequested, Cancelled, Ended | -              | -      | -        | -        | - | -              | -              | - | Ended | -
      Queued  | INVALID_REQUEST | NOT_HELD       | NOT_HELD       | -               | Attempted      | CancelRequested, Cancelled, Ended | -              | -      | -        | -        | OutputLost | -              | -              | Ended | Ended | -
      Claimed | INVALID_REQUEST | NOT_HELD       | NOT_HELD       | -               | -              | CancelRequested                   | Started        | Output | Requeued | Ended    | OutputLost | -              | -              | - | Ended | -
      Running | INVALID_REQUEST | NOT_HELD       | NOT_HELD       | -               | -              | CancelRequested                   | -              | Output | -        | Ended    | OutputLost | -              | BecameReady    | - | Ended | -
      Ended   | INVALID_REQUEST | NOT_HELD       | NOT_HELD       | -               | -              | -                                 | -              | -      | -        | -        | - | -              | -              | - | - | -
      """;

  /** All that ever ran have ten bytes of output, so that a crash has something to take. */
  private static final Map<String, List<TaskEvent>> STATES =
      Map.of(
          "Absent", List.of(),
          "Held", List.of(new TaskEvent.Spawned(Samples.askedSpec())),
          "Queued", past(new TaskEvent.Requeued(1, "host_gone", List.of())),
          "Claimed", past(new TaskEvent.Requeued(1, "host_gone", List.of()), attempted(2)),
          "Running",
              past(new TaskEvent.Requeued(1, "host_gone", List.of()), attempted(2), begun(2)),
          "Ended", past(ended(new End.Exited(exit(0), ENDED_AT))));

  private static final Map<String, TaskCommand> COMMANDS =
      Map.ofEntries(
          Map.entry("Spawn", new TaskCommand.Spawn(Samples.spec(), null)),
          Map.entry("Approve", new TaskCommand.Approve("ann")),
          Map.entry("Deny", new TaskCommand.Deny("too bold", "ann", ENDED_AT)),
          Map.entry("ApprovalExpired", new TaskCommand.ApprovalExpired(ENDED_AT)),
          Map.entry("OnHost", CLAIM),
          Map.entry("Cancel", Samples.cancel()),
          Map.entry(
              "Report", report(startedFact(9), new HostFact.Started(2, 2, Samples.PROCESS, 1))),
          Map.entry(
              "Index",
              new TaskCommand.Index(
                  2, List.of(new TaskCommand.Index.Tail(LogStream.STDERR, 0, 5, preview(5))))),
          Map.entry("HostLeft", new TaskCommand.HostLeft(2, ENDED_AT)),
          Map.entry(
              "HostLost", new TaskCommand.HostLost(2, List.of(), List.of(), List.of(), ENDED_AT)),
          Map.entry("OutputLost", new TaskCommand.OutputLost(LogStream.STDOUT, 0, 10)),
          Map.entry(
              "Watched",
              new TaskCommand.Watched(
                  List.of(new TaskCommand.Watched.Sighting(0, null, "up", 1, null)))),
          Map.entry("MarkReady", new TaskCommand.MarkReady("listens", 1)),
          Map.entry("SeePrompt", new TaskCommand.SeePrompt("$ ", "high", 10, 1)),
          Map.entry(
              "DependencyFailed",
              new TaskCommand.DependencyFailed(
                  new TaskId("01890a5d-ac96-774b-bcce-b302099a8057"), "it failed", ENDED_AT)),
          Map.entry(
              "RecordDamaged", new TaskCommand.RecordDamaged(3, List.of(), List.of(), ENDED_AT)));

  private static List<TaskEvent> past(TaskEvent... more) {
    var begin = Stream.of(spawned(), attempted(1), begun(), output(3, LogStream.STDOUT, 0, 10));
    return Stream.concat(begin, Arrays.stream(more)).toList();
  }

  @Test
  void each_state_answers_each_command_as_the_table_says() {
    var lines = new ArrayList<List<String>>();
    TABLE.lines().map(StateAndCommandTest::cells).forEach(lines::add);
    var commands = lines.removeFirst();

    for (var line : lines) {
      for (var column = 1; column < line.size(); column++) {
        assertThat(answer(line.getFirst(), commands.get(column)))
            .as("%s in state %s", commands.get(column), line.getFirst())
            .isEqualTo(line.get(column));
      }
    }
  }

  @Test
  void the_table_leaves_no_state_and_no_command_out() {
    var lines = TABLE.lines().map(StateAndCommandTest::cells).toList();

    assertThat(lines.getFirst().stream().skip(1))
        .containsExactlyInAnyOrderElementsOf(namesOf(TaskCommand.class));
    assertThat(lines.stream().skip(1).map(List::getFirst))
        .containsExactlyInAnyOrderElementsOf(namesOf(TaskState.class));
  }

  private static String answer(String state, String command) {
    var given = Given.given(requireNonNull(STATES.get(state)).toArray(TaskEvent[]::new));
    assertThat(given.state().getClass().getSimpleName()).isEqualTo(state);
    var when = given.when(requireNonNull(COMMANDS.get(command)));
    return switch (when.decision()) {
      case Decision.Refused it -> it.code().name();
      case Decision.Accepted it when it.events().isEmpty() -> "-";
      case Decision.Accepted it -> {
        when.after();
        yield it.events().stream().map(e -> e.getClass().getSimpleName()).collect(joining(", "));
      }
    };
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
  }

  /** The records below a sealed type, however deep. */
  private static List<String> namesOf(Class<?> type) {
    if (!type.isSealed()) {
      return List.of(type.getSimpleName());
    }
    return Arrays.stream(type.getPermittedSubclasses())
        .flatMap(it -> namesOf(it).stream())
        .toList();
  }
}
