package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.errand.core.task.ResourceLimits;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.process.LimitMechanisms;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.HostRecord;
import dev.errand.testkit.Alone;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task may take of the machine. */
final class ResourceLimitsTest {
  /** The shell's variable holds it all, so there is no file of which the kernel could let go. */
  private static final String HOARD = "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}";

  private static final long MIB = 1L << 20;

  @TempDir Path home;
  private TestHost host;

  @BeforeEach
  void start() throws Exception {
    host = TestHost.start(home);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  @Test
  void limits_are_there_before_the_program_begins_and_its_children_inherit_them() throws Exception {
    var limits = new ResourceLimits(null, null, 7L, 33L, 8 * MIB);
    var request = shell("ulimit -t; ulimit -n; ulimit -f; sh -c 'ulimit -n'", limits);

    host.run(request);

    assertThat(host.stdout(request.id()).lines()).containsExactly("7", "33", "8192", "33");
  }

  @Test
  void a_limited_program_has_its_own_name_and_variables_and_nothing_more() throws Exception {
    var words = List.of("sh", "-c", "cat /proc/$$/cmdline /proc/$$/environ; ls -1 /proc/$$/fd");
    var free = request(words, ResourceLimits.NONE);
    var limited = request(words, new ResourceLimits(null, null, 7L, 33L, null));

    host.run(free);
    host.run(limited);

    var expected = host.stdout(free.id()).replace(free.id().taskId().value(), "?");
    assertThat(host.stdout(limited.id()).replace(limited.id().taskId().value(), "?"))
        .isEqualTo(expected)
        .startsWith("sh\0-c\0");
  }

  @Test
  void a_program_that_does_not_exist_is_not_found_with_limits_too() throws Exception {
    var limits = new ResourceLimits(null, null, 7L, null, null);
    var request = request(List.of("no-such-program-anywhere"), limits);

    assertThat(host.spawn(request)).isFalse();

    var record = host.await(request.id(), HostRecord.NotStarted.class::isInstance);
    assertThat(((HostRecord.NotStarted) record).reasonCode()).isEqualTo("not_found");
  }

  @Test
  void many_limited_tasks_start_side_by_side() throws Exception {
    var limits = new ResourceLimits(null, null, 60L, 50L, null);
    var requests =
        java.util.stream.IntStream.range(0, 40).mapToObj(_ -> shell("ulimit -n", limits)).toList();
    for (var request : requests) {
      host.spawn(request);
    }
    for (var request : requests) {
      assertThat(host.awaitExit(request.id()).code()).isZero();
      assertThat(host.stdout(request.id())).isEqualTo("50\n");
    }
  }

  @Test
  void processor_time_ends_the_task_and_is_named_as_the_cause() throws Exception {
    var limits = new ResourceLimits(null, null, 1L, null, null);
    var request = shell("while :; do :; done", limits);
    host.spawn(request);

    var exited = host.awaitExit(request.id());

    assertThat(exited.signal()).isEqualTo("XCPU");
    assertThat(exited.cause()).isEqualTo("cpu");
    // The limit counts whole ticks and the usage exact times, which differ on a busy machine.
    assertThat(exited.usage().cpuMs()).isBetween(500L, 3_000L);
    assertThat(passed(request)).containsExactly("cpu");
  }

  @Test
  void a_file_that_grows_too_large_ends_the_task_and_is_named_as_the_cause() throws Exception {
    var limits = new ResourceLimits(null, null, null, null, MIB);
    var file = home.resolve("big");
    var request = shell("head -c 10000000 /dev/zero > " + file, limits);
    host.spawn(request);

    var exited = host.awaitExit(request.id());

    assertThat(exited.cause()).isEqualTo("file_size");
    assertThat(passed(request)).containsExactly("file_size");
    assertThat(Files.size(file)).isEqualTo(MIB);
  }

  @Test
  void memory_above_the_limit_ends_the_task() throws Exception {
    var limits = new ResourceLimits(64 * MIB, null, null, null, null);
    var request = shell(HOARD, limits);
    host.spawn(request);

    var exited = host.awaitExit(request.id());

    assertThat(exited.code()).isNotZero();
    assertThat(host.stdout(request.id())).doesNotContain("200000000");
  }

  @Test
  void memory_above_the_limit_is_named_as_the_cause() throws Exception {
    assumeThat(mechanisms())
        .as("a control group for memory, or one that the host watches")
        .doesNotContain("limits.memory=rlimit");
    var limits = new ResourceLimits(64 * MIB, null, null, null, null);
    var request = shell(HOARD, limits);
    host.spawn(request);

    var exited = host.awaitExit(request.id());

    assertThat(exited.signal()).isEqualTo("KILL");
    assertThat(exited.cause()).isEqualTo("memory");
    assertThat(passed(request)).containsExactly("memory");
  }

  @Test
  @Alone
  void a_fork_bomb_is_held_and_a_cancel_removes_all_of_it() throws Exception {
    assumeThat(mechanisms())
        .as("a control group for processes, or a user who is not root")
        .doesNotContain("limits.processes=none");
    var limits = new ResourceLimits(null, 64L, null, null, null);
    var bomb = "echo ready; bomb() { bomb | bomb & sleep 5; }; bomb; wait";
    var request = shell(bomb, limits);
    host.spawn(request);
    host.await(request.id(), HostRecord.Output.class::isInstance);
    // Long enough for the bomb to reach its limit, which is what makes forks fail.
    host.await(
        request.id(),
        it ->
            it instanceof HostRecord.Output output
                && output.stream() == dev.errand.core.task.LogStream.STDERR);

    assertThat(TestHost.value(host.client().stats()).running()).as("the host answers").isOne();
    assertThat(processesOf(request)).as("while it goes on").isBetween(1L, 64L);
    host.cancel(request.id());

    var exited = host.awaitExit(request.id());
    assertThat(exited.survivors()).isEmpty();
    assertThat(processesOf(request)).isZero();
  }

  @Test
  void who_sheds_every_mark_is_known_by_the_group_of_a_task_with_limits() throws Exception {
    assumeThat(mechanisms())
        .as("a control group for processes")
        .containsAnyOf("limits.processes=cgroup1", "limits.processes=cgroup2");
    var other = shell("echo; sleep 60", ResourceLimits.NONE);
    host.spawn(other);
    host.await(other.id(), HostRecord.Output.class::isInstance);
    var shed = "setsid env -i bash -c 'ulimit -S -R 12345; sleep 303 >/dev/null 2>&1 & echo $!'";
    var limits = new ResourceLimits(null, 64L, null, null, null);
    var request = shell(shed + "; sleep 60", limits);
    host.spawn(request);
    host.await(request.id(), HostRecord.Output.class::isInstance);
    var fled = Long.parseLong(host.stdout(request.id()).strip());
    try {
      assertThat(LimitMechanisms.tagOf(fled))
          .isEqualTo(((HostRecord.Intent) host.of(request.id()).getFirst()).tag());
      host.cancel(request.id());

      assertThat(host.awaitExit(request.id()).killed()).contains(fled);
      assertThat(host.left()).isEmpty();
    } finally {
      ProcessHandle.of(fled).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void the_start_record_says_what_keeps_the_limits_and_the_host_says_it_at_hello()
      throws Exception {
    var request = shell("true", new ResourceLimits(64 * MIB, null, 5L, null, null));

    var started = only(host.run(request), HostRecord.Started.class).getFirst();

    assertThat(started.limitedBy()).matches("memory=(cgroup1|cgroup2|rlimit),others=rlimit");
    assertThat(mechanisms()).contains("limits." + started.limitedBy().split(",", -1)[0]);
  }

  @Test
  void the_peak_of_memory_is_that_of_the_task_and_not_of_the_host() throws Exception {
    var line = "x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 2.5; echo ${#x}";
    var request = shell(line, ResourceLimits.NONE);
    host.spawn(request);

    var usage = host.awaitExit(request.id()).usage();

    assertThat(usage.maxRssBytes()).isBetween(30_000_000L, 150_000_000L);
    assertThat(usage.cpuUserMs() + usage.cpuSystemMs()).isEqualTo(usage.cpuMs()).isPositive();
  }

  @Test
  void what_is_written_to_storage_is_counted() throws Exception {
    var file = home.resolve("written");
    var request =
        shell("head -c 5000000 /dev/zero > " + file + "; sync " + file, ResourceLimits.NONE);
    host.spawn(request);

    var usage = host.awaitExit(request.id()).usage();

    assumeThat(Files.getFileStore(home).type()).as("a file system on a disk").isNotEqualTo("tmpfs");
    assertThat(usage.ioWriteBytes()).isBetween(4_000_000L, 8_000_000L);
  }

  private List<String> mechanisms() throws Exception {
    return TestHost.value(host.client().hello(TestHost.JOURNAL, "build-1")).features();
  }

  private List<String> passed(HostRequest.Spawn request) {
    return only(host.of(request.id()), HostRecord.LimitPassed.class).stream()
        .map(HostRecord.LimitPassed::limit)
        .toList();
  }

  private static long processesOf(HostRequest.Spawn request) throws Exception {
    var count = 0;
    for (var pid : ProcFs.pids()) {
      var mine =
          ProcFs.variable(pid, "ERRAND_TASK_ID")
              .filter(request.id().taskId().value()::equals)
              .isPresent();
      count += mine && ProcFs.stat(pid).filter(ProcFs.Stat::alive).isPresent() ? 1 : 0;
    }
    return count;
  }

  private static HostRequest.Spawn shell(String line, ResourceLimits limits) {
    return TestHost.shell(line, TestHost.limits(limits));
  }

  private static HostRequest.Spawn request(List<String> words, ResourceLimits limits) {
    return TestHost.request(
        new HostRequest.Program.Argv(words), TestHost.limits(limits), false, Map.of("A", "b"));
  }
}
