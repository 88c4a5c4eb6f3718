package dev.errand.daemon.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.task.Command;
import dev.errand.core.task.Exit;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.engine.EngineFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the notice of an end tells beside the end. */
final class EndNotesTest {
  private final EngineFixture fixture = new EngineFixture();

  @Test
  void an_end_with_nothing_beside_it_has_no_note() {
    fixture.ended();

    assertThat(text()).doesNotContain("Note:");
  }

  @Test
  void a_run_whose_first_attempt_was_lost_is_said_to_have_run_twice() {
    var taskId = repeatable();
    loseAndStart(taskId, 1);
    exit(taskId, 2, 10, 10);

    assertThat(text()).contains("\nNote: it ran twice: the first attempt was lost.\n");
  }

  @Test
  void more_lost_attempts_are_counted() {
    var taskId = repeatable();
    loseAndStart(taskId, 1);
    loseAndStart(taskId, 2);
    exit(taskId, 3, 10, 10);

    assertThat(text()).contains("\nNote: it ran 3 times: the first 2 attempts were lost.\n");
  }

  @Test
  void dropped_output_is_told_with_how_much_is_kept() {
    exit(fixture.running(), 1, 3_000, 1_000);

    assertThat(text()).contains("\nNote: 2000 bytes of its stdout were dropped, and 1000 are kept");
  }

  private TaskId repeatable() {
    var spec = EngineFixture.spec();
    var work = (Command) spec.work();
    var again =
        new Command(
            work.toolName(),
            work.invocation(),
            work.cwd(),
            work.environment(),
            work.io(),
            work.limits(),
            Command.OnRestart.REQUEUE);
    return fixture.running(new TaskSpec(spec.origin(), again));
  }

  private void loseAndStart(TaskId taskId, int attempt) {
    submit(taskId, new TaskCommand.HostLost(attempt, List.of(), List.of(), List.of(), 1_600));
    submit(taskId, EngineFixture.CLAIM);
    var process = new ProcessIdentity(4711, 99, "boot-1", 7);
    submit(taskId, EngineFixture.report(new HostFact.Started(attempt + 1, 2, process, 1_700)));
  }

  private void exit(TaskId taskId, int attempt, long written, long stored) {
    var exit = new Exit(0, null, null, null, Exit.Leftovers.NONE, Exit.Usage.UNKNOWN);
    var kept = List.of(new LogEnd.Extent(0, stored));
    var log = new LogEnd(LogStream.STDOUT, written, stored, 1, EngineFixture.DIGEST, kept);
    submit(
        taskId, EngineFixture.report(new HostFact.Exited(attempt, 3, exit, List.of(log), 2_000)));
  }

  private void submit(TaskId taskId, TaskCommand command) {
    fixture.engine.submit(taskId, command, null).orThrow();
  }

  private String text() {
    var query = new NoticeQuery(EngineFixture.SESSION, Cursor.START, false, 10);
    var entry = fixture.journal.notices(query).getLast();
    return InboxFixture.views(fixture).json(entry).path("text").stringValue("");
  }
}
