package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.Command;
import dev.errand.core.task.TaskId;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that took off every mark of their task, and what becomes of them. */
@ParameterizedClass
@EnumSource(Command.ExecutionMode.class)
final class UnmarkedProcessesTest {
  private final Command.ExecutionMode mode;
  @TempDir Path home;
  private TestHost host;

  UnmarkedProcessesTest(Command.ExecutionMode mode) {
    this.mode = mode;
  }

  @BeforeEach
  void start() throws Exception {
    host = TestHost.start(home);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  private HostRequest.Spawn shell(String line) {
    return TestHost.in(mode, TestHost.shell(line));
  }

  @Test
  void who_sheds_every_mark_is_ended_with_the_only_task_that_was_live() throws Exception {
    var request = shell(shedding());
    host.spawn(request);
    var fled = awaitFled(request.id());
    try {
      host.cancel(request.id());

      assertThat(host.awaitExit(request.id()).killed()).contains(fled);
      assertThat(ProcFs.stat(fled).filter(ProcFs.Stat::alive)).isEmpty();
    } finally {
      ProcessHandle.of(fled).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void who_sheds_every_mark_while_several_tasks_are_live_is_ended_with_the_last_of_them()
      throws Exception {
    var other = shell("sleep 60");
    host.spawn(other);
    host.await(other.id(), HostRecord.Started.class::isInstance);
    var request = shell(shedding());
    host.spawn(request);
    var fled = awaitFled(request.id());
    try {
      var startTicks = ProcFs.stat(fled).orElseThrow().startTicks();
      await()
          .untilAsserted(() ->
              assertThat(TestHost.value(host.client().stats()).escapedShown())
                  .extracting(HostReply.Escaped::pid, HostReply.Escaped::startTicks)
                  .containsExactly(tuple(fled, startTicks)));
      var both = Stream.of(request.id().taskId(), other.id().taskId());
      var sorted = both.sorted(Comparator.comparing(TaskId::value)).toList();
      await()
          .untilAsserted(() ->
              assertThat(host.left())
                  .extracting(HostReply.Left::pid, HostReply.Left::tasks, HostReply.Left::kept)
                  .containsExactly(tuple(fled, sorted, false)));
      host.cancel(request.id());
      assertThat(host.awaitExit(request.id()).killed()).doesNotContain(fled);
      assertThat(ProcFs.stat(fled).filter(ProcFs.Stat::alive)).isPresent();

      host.cancel(other.id());
      host.awaitExit(other.id());

      await().until(() -> ProcFs.stat(fled).filter(ProcFs.Stat::alive).isEmpty());
      await().until(() -> TestHost.value(host.client().stats()).escaped() == 0);
    } finally {
      ProcessHandle.of(fled).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Prints the pid of an orphan that has neither tag nor variable nor session of its task. */
  private static String shedding() {
    var shed = "ulimit -S -R 12345; sleep 300 >/dev/null 2>&1 & echo $!";
    return "setsid env -i bash -c '" + shed + "'; sleep 60";
  }

  private long awaitFled(AttemptId id) throws Exception {
    host.await(id, HostRecord.Output.class::isInstance);
    return Long.parseLong(host.text(id).strip());
  }

  @Test
  void a_kept_process_is_told_of_and_ended_by_a_sweep_also_without_marks() throws Exception {
    var shed = "ulimit -S -R 12345; sleep 301 >/dev/null 2>&1 & echo $!";
    var request = TestHost.keeping(shell("setsid env -i bash -c '" + shed + "'; exit 0"));
    host.spawn(request);
    var exited = host.awaitExit(request.id());
    var kept = Long.parseLong(host.text(request.id()).strip());
    try {
      assertThat(exited.leftover()).isEqualTo("kept");
      assertThat(exited.survivors()).containsExactly(kept);
      var process = exited.processes().getFirst();
      assertThat(process.command()).contains("sleep 301");
      await()
          .untilAsserted(() ->
              assertThat(host.left())
                  .extracting(HostReply.Left::pid, HostReply.Left::tasks, HostReply.Left::kept)
                  .containsExactly(tuple(kept, List.of(request.id().taskId()), true)));

      var stranger = TestHost.newAttempt().taskId();
      var bootId = only(host.of(request.id()), HostRecord.Started.class).getFirst().bootId();
      var other = new HostRequest.Kept(kept, process.startTicks() + 1);
      assertThat(sweep(stranger, bootId, other).killed()).isEmpty();
      var same = new HostRequest.Kept(kept, process.startTicks());
      assertThat(sweep(stranger, "other-boot", same).killed()).isEmpty();
      assertThat(sweep(stranger, bootId, same).killed()).containsExactly(kept);

      await().until(() -> host.left().isEmpty());
    } finally {
      ProcessHandle.of(kept).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private HostReply.Swept sweep(TaskId taskId, String bootId, HostRequest.Kept kept)
      throws IOException, InterruptedException {
    return TestHost.value(
        host.client().sweep(new HostRequest.Sweep(taskId, 0, 0, bootId, 0, List.of(kept))));
  }
}
