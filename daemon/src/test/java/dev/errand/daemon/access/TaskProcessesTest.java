package dev.errand.daemon.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.HostFact;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.process.Tag;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process with the mark of our tasks is one of theirs, and never a person by mistake. */
final class TaskProcessesTest {
  /** What a limit shows beside the tag. */
  private static final long BASE = 1L << 50;

  /** What a host lowers its hard limit to, above all tags. */
  private static final long HARD = BASE + (1L << 53);

  private static final long RANDOM_PART = 0xbeef;
  private final EngineFixture fixture = new EngineFixture();
  private final Process process;

  TaskProcessesTest() throws IOException {
    process =
        new ProcessBuilder(
                "prlimit", "--rttime=" + (BASE + tag()) + ":unlimited", "sh", "-c", "read _")
            .start();
    await().until(() -> Tag.ofProcess(process.pid()) == tag());
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  private long tag() {
    return Tag.mark(fixture.journal.id()) << 40 | RANDOM_PART;
  }

  private TaskProcesses listening(String journalId) {
    var processes = new TaskProcesses(fixture.engine, journalId, fixture.clock);
    fixture.engine.subscribe(processes);
    return processes;
  }

  private HostFact started() {
    var identity = new ProcessIdentity(process.pid(), 1, "boot-1", tag());
    return new HostFact.Started(1, 2, identity, 1_500);
  }

  @Test
  void one_that_asks_before_its_start_is_recorded_waits_until_it_is() throws Exception {
    var processes = listening(fixture.journal.id());
    var taskId = fixture.claimed();
    try (var asking = Executors.newVirtualThreadPerTaskExecutor()) {
      var owner = asking.submit(() -> processes.ownerOf(process.pid()));

      fixture.engine.submit(taskId, EngineFixture.report(started()), null).orThrow();
      await()
          .until(() -> {
            fixture.clock.advance(Duration.ofMillis(2));
            return owner.isDone();
          });

      assertThat(owner.get()).isEqualTo(new TaskProcesses.Owner.Task(taskId));
    }
  }

  @Test
  void one_that_outlived_its_task_is_known_as_what_that_left() {
    var processes = listening(fixture.journal.id());
    var taskId = fixture.claimed();
    fixture.engine.submit(taskId, EngineFixture.report(started()), null).orThrow();
    assertThat(processes.leftBy(process.pid())).isEmpty();

    fixture.engine.submit(taskId, EngineFixture.report(EngineFixture.exited(3, 0)), null).orThrow();

    assertThat(processes.leftBy(process.pid())).contains(taskId);
    assertThat(processes.leftBy(ProcessHandle.current().pid())).isEmpty();
  }

  @Test
  void one_of_a_task_that_is_forgotten_is_not_a_person() throws Exception {
    var processes = listening(fixture.journal.id());
    try (var asking = Executors.newVirtualThreadPerTaskExecutor()) {
      var owner = asking.submit(() -> processes.ownerOf(process.pid()));

      await()
          .until(() -> {
            fixture.clock.advance(TaskProcesses.BEGINNING_MAX);
            return owner.isDone();
          });

      assertThat(owner.get()).isEqualTo(new TaskProcesses.Owner.Unknown());
    }
  }

  @Test
  void one_of_a_task_of_another_home_is_nobodys_here() {
    var processes = listening("0192d1b4-0000-7000-8000-000000000000");

    assertThat(processes.ownerOf(process.pid())).isEqualTo(new TaskProcesses.Owner.None());
  }

  @Test
  void a_leftover_is_known_when_its_task_is_over() {
    var processes = listening(fixture.journal.id());
    var taskId = fixture.claimed();
    fixture.engine.submit(taskId, EngineFixture.report(started()), null).orThrow();
    fixture.engine.submit(taskId, EngineFixture.report(EngineFixture.exited(4, 0)), null).orThrow();

    assertThat(processes.ownerOf(process.pid())).isEqualTo(new TaskProcesses.Owner.Task(taskId));
  }

  @Test
  void one_that_took_its_tag_off_is_still_known_by_its_hard_limit() throws IOException {
    var processes = listening(fixture.journal.id());
    var shed = start("prlimit", "--rttime=" + HARD + ":" + HARD, "sh", "-c", "read _");
    try {
      await().until(() -> ProcFs.realtimeLimits(shed.pid()).hard().isPresent());

      assertThat(processes.ownerOf(shed.pid())).isEqualTo(new TaskProcesses.Owner.Unmarked());
    } finally {
      shed.destroyForcibly();
    }
  }

  @Test
  void one_without_any_mark_below_a_host_is_a_tasks_whatever_its_environment_says()
      throws IOException {
    var processes = listening(fixture.journal.id());
    var trusted = fixture.claimed();
    fixture.engine.submit(trusted, EngineFixture.report(started()), null).orThrow();
    var shed = start("env", "ERRAND_TASK_ID=" + trusted.value(), "sh", "-c", "read _");
    try {
      await().until(() -> ProcFs.variable(shed.pid(), "ERRAND_TASK_ID").isPresent());
      assertThat(processes.ownerOf(shed.pid())).isEqualTo(new TaskProcesses.Owner.Task(trusted));

      processes.start(it -> it.pid() == ProcessHandle.current().pid());

      assertThat(processes.ownerOf(shed.pid())).isEqualTo(new TaskProcesses.Owner.Unmarked());
    } finally {
      shed.destroyForcibly();
    }
  }

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(command).start();
  }
}
