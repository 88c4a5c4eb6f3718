package dev.errand.daemon.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.output.MemoryLogs;
import dev.errand.daemon.store.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which runner has to do what, by what is recorded. */
final class RunnersTest {
  private final EngineFixture fixture = new EngineFixture();
  private final FakeHost host;
  private final Runners runners;

  RunnersTest(@TempDir Path folder) {
    var artifacts = new ArtifactStore(folder, Durability.NORMAL, fixture.clock);
    this.host = new FakeHost(fixture.engine, new MemoryLogs(artifacts));
    this.runners = new Runners(host);
    fixture.engine.subscribe(runners);
  }

  @Test
  void a_recorded_claim_is_a_start_and_what_follows_it_is_none() {
    var taskId = fixture.queued();
    assertThat(host.attempts()).isEmpty();

    submit(taskId, runners.claim(TaskKind.COMMAND));
    assertThat(host.attempts()).containsExactly(1);

    submit(taskId, runners.claim(TaskKind.COMMAND));
    host.start(taskId);
    assertThat(host.attempts()).as("claimed and started only once").hasSize(1);
  }

  @Test
  void the_next_attempt_is_a_start_again() {
    var taskId = fixture.claimed();
    submit(taskId, new TaskCommand.HostLeft(1, 5));

    submit(taskId, runners.claim(TaskKind.COMMAND));

    assertThat(host.attempts()).containsExactly(1, 2);
  }

  @Test
  void a_cancel_is_brought_to_who_has_the_task_and_to_nobody_else() {
    var waiting = fixture.queued();
    runners.end(waiting, (TaskState.Live) fixture.state(waiting), "enough");
    assertThat(host.applied()).isEmpty();

    var claimed = fixture.claimed();
    runners.end(claimed, (TaskState.Live) fixture.state(claimed), "enough");
    assertThat(host.attempts()).containsExactly(1);
    assertThat(host.applied()).containsExactly("cancel enough");
  }

  private void submit(TaskId taskId, TaskCommand command) {
    fixture.engine.submit(taskId, command, null).orThrow();
  }
}
