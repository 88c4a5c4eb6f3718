package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.Command;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.testkit.Alone;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Ending processes against their will, and what they leave behind, with pipes and a terminal. */
@ParameterizedClass
@EnumSource(Command.ExecutionMode.class)
final class KillTest {
  private static final List<String> EARS = List.of("job", "leader", "member", "orphan", "session");

  private final Command.ExecutionMode mode;
  @TempDir Path home;
  private TestHost host;
  private int operations;

  KillTest(Command.ExecutionMode mode) {
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

  @Test
  void cancel_ends_a_willing_process_with_term() throws Exception {
    var request = shell("echo ready; sleep 60");
    host.spawn(request);
    awaitOutput(request.id());

    assertThat(host.cancel(request.id())).isFalse();

    var exited = host.awaitExit(request.id());
    assertThat(exited.signal()).isEqualTo("TERM");
    assertThat(exited.code()).isEqualTo(143);
    assertThat(exited.cause()).isEqualTo("cancel");
    assertThat(exited.step()).isEqualTo("term");
    assertThat(host.cancel(request.id())).isTrue();
  }

  @Test
  void a_stopped_process_can_be_cancelled() throws Exception {
    var request = shell("echo ready; kill -STOP $$; sleep 60");
    host.spawn(request);
    awaitOutput(request.id());

    host.cancel(request.id());

    assertThat(host.awaitExit(request.id()).step()).isEqualTo("term");
  }

  @Test
  void who_flees_by_double_fork_and_a_new_session_and_an_empty_environment_is_swept()
      throws Exception {
    var flight = "setsid env -i /bin/sh -c 'sleep 61 >/dev/null 2>&1 & echo $!' ; sleep 60";
    var request = shell(flight);
    host.spawn(request);
    awaitOutput(request.id());
    var fled = Long.parseLong(host.text(request.id()).strip());

    host.cancel(request.id());

    var exited = host.awaitExit(request.id());
    assertThat(exited.killed()).contains(fled);
    assertThat(exited.survivors()).isEmpty();
    assertThat(ProcFs.stat(fled).filter(ProcFs.Stat::alive)).isEmpty();
  }

  @Test
  void a_daemonised_process_without_our_pipes_is_a_leftover_too() throws Exception {
    var request = shell("trap '' HUP; setsid sleep 60 >/dev/null 2>&1 </dev/null & exit 0");
    host.spawn(request);

    var exited = host.awaitExit(request.id());

    assertThat(exited.pipeHeld()).isFalse();
    assertThat(exited.leftover()).isEqualTo("killed");
    assertThat(exited.killed()).hasSize(1);
  }

  @Test
  void others_of_the_group_have_their_grace_even_if_the_leader_is_quicker() throws Exception {
    var child =
        "trap \"\" HUP; trap \"sleep 0.4; echo cleaned; exit\" TERM; echo ready; while :; do sleep 0.05; done";
    var request = shell("sh -c '" + child + "'; true");
    host.spawn(request);
    awaitOutput(request.id());

    host.cancel(request.id());

    var exited = host.awaitExit(request.id());
    assertThat(exited.signal()).isEqualTo("TERM");
    assertThat(host.text(request.id())).startsWith("ready\n").endsWith("cleaned\n");
    assertThat(exited.killed()).isEmpty();
  }

  @Test
  void a_signal_reaches_all_of_the_group() throws Exception {
    var child = "trap \"echo child; exit\" USR1; echo ready; while :; do sleep 0.02; done";
    var request = shell("trap 'echo leader' USR1; sh -c '" + child + "'; sleep 0.1");
    host.spawn(request);
    awaitOutput(request.id());

    TestHost.value(
        host.client().signal(new HostRequest.Signal(request.id(), "op-1", "USR1", "test")));

    host.awaitExit(request.id());
    assertThat(host.text(request.id()).lines()).contains("ready", "leader", "child");
  }

  @Test
  void a_signal_reaches_those_who_left_the_group_too_and_each_of_them_once() throws Exception {
    var heard = home.resolve("heard");
    var hears = "trap \"echo $0 >>$HEARD\" USR1; echo $0 $$; while :; do sleep 0.05; done";
    var request = scattered(hears, heard);
    host.spawn(request);
    var pids = awaitScattered(request.id());

    signal(request.id(), "USR1");
    await().untilAsserted(() -> assertThat(heardBy(heard)).containsExactlyElementsOf(EARS));
    signal(request.id(), "USR1");

    // Who was told twice the first time would be heard three times now.
    var twice = EARS.stream().flatMap(it -> Stream.of(it, it)).toList();
    await().untilAsserted(() -> assertThat(heardBy(heard)).containsExactlyElementsOf(twice));
    host.cancel(request.id());
    host.awaitExit(request.id());
    var leader = only(host.of(request.id()), HostRecord.Started.class).getFirst().pid();
    assertThat(only(host.of(request.id()), HostRecord.Signalled.class))
        .hasSize(2)
        .allSatisfy(it ->
            assertThat(it.outside())
                .doesNotHaveDuplicates()
                .contains(pids.get("job"), pids.get("session"), pids.get("orphan"))
                .doesNotContain(pids.get("member"), leader, ProcessHandle.current().pid()));
  }

  @Test
  void those_who_left_the_group_stop_and_go_on_with_it() throws Exception {
    // A shell whose new process is stopped before it has become a program waits and does not stop.
    var request = scattered("echo $0 $$; exec sleep 60", home.resolve("heard"));
    host.spawn(request);
    var pids = awaitScattered(request.id()).values();

    signal(request.id(), "STOP");
    await().until(() -> pids.stream().allMatch(KillTest::isStopped));
    signal(request.id(), "CONT");
    await().until(() -> pids.stream().noneMatch(KillTest::isStopped));
  }

  /** The same line in each place where a process of a task can be, below a leader that hears. */
  private HostRequest.Spawn scattered(String line, Path heard) {
    var script =
        """
        trap '' HUP
        trap 'echo leader >>$HEARD' USR1
        set -m
        sh -c "$LINE" job &
        set +m
        sh -c "$LINE" member &
        setsid sh -c "$LINE" session &
        (setsid env -i HEARD=$HEARD PATH=$PATH sh -c "$LINE" orphan &)
        while :; do sleep 0.05; done
        """;
    var program = new HostRequest.Program.Argv(List.of("bash", "-c", script));
    var env = Map.of("LINE", line, "HEARD", heard.toString());
    return TestHost.in(mode, TestHost.request(program, HostRequest.Limits.none(), false, env));
  }

  /** The pids by name, when all of them are there. */
  private Map<String, Long> awaitScattered(AttemptId id) {
    var pids = new HashMap<String, Long>();
    await()
        .untilAsserted(() -> {
          for (var line : host.text(id).lines().toList()) {
            var words = line.split(" ", -1);
            pids.put(words[0], Long.parseLong(words[1]));
          }
          assertThat(pids).containsOnlyKeys("job", "member", "orphan", "session");
        });
    return pids;
  }

  private void signal(AttemptId id, String name) throws IOException, InterruptedException {
    var opId = "op-" + ++operations;
    TestHost.value(host.client().signal(new HostRequest.Signal(id, opId, name, "test")));
  }

  private static List<String> heardBy(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).stream().sorted().toList() : List.of();
  }

  private static boolean isStopped(long pid) {
    return ProcFs.stat(pid).orElseThrow().state() == 'T';
  }

  @Test
  @Alone
  void a_process_that_closes_its_streams_goes_on_and_costs_nothing() throws Exception {
    var request = shell("exec <&- >&- 2>&-; sleep 1.5; exit 7");
    host.spawn(request);
    host.await(request.id(), HostRecord.Started.class::isInstance);
    var before = ioThreadsMs();

    var exited = host.awaitExit(request.id());

    assertThat(exited.code()).isEqualTo(7);
    assertThat(ioThreadsMs() - before).isLessThan(300);
  }

  private static long ioThreadsMs() {
    var threads = ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().startsWith("host-io-"))
        .mapToLong(it -> threads.getThreadCpuTime(it.threadId()) / 1_000_000)
        .sum();
  }

  @Test
  void adopted_processes_do_not_stay_zombies() throws Exception {
    var line = "setsid sh -c 'sleep 0.2' >/dev/null 2>&1 & echo $!";
    var request = TestHost.keeping(shell(line));
    host.spawn(request);
    host.awaitExit(request.id());
    var orphan = Long.parseLong(host.text(request.id()).strip());

    await().until(() -> ProcFs.stat(orphan).isEmpty());
  }

  @Test
  void what_a_dead_host_left_is_found_by_its_task_id_and_by_its_tag() throws Exception {
    var request = shell("echo ready; exec sleep 60");
    host.spawn(request);
    awaitOutput(request.id());
    var started = (HostRecord.Started) host.of(request.id()).get(1);
    var tag = ((HostRecord.Intent) host.of(request.id()).getFirst()).tag();
    var otherTask = TestHost.newAttempt().taskId();

    var otherBoot =
        new HostRequest.Sweep(otherTask, started.pid(), started.startTicks(), "other", tag);
    assertThat(TestHost.value(host.client().sweep(otherBoot)).killed()).isEmpty();
    var byNothing = new HostRequest.Sweep(otherTask, started.pid(), 1, started.bootId(), 0);
    assertThat(TestHost.value(host.client().sweep(byNothing)).killed()).isEmpty();
    var byTag = new HostRequest.Sweep(otherTask, 0, 0, started.bootId(), tag);
    assertThat(TestHost.value(host.client().sweep(byTag)).killed()).containsExactly(started.pid());

    assertThat(host.awaitExit(request.id()).signal()).isEqualTo("KILL");
  }

  private HostRequest.Spawn shell(String line) {
    return TestHost.in(mode, TestHost.shell(line));
  }

  private void awaitOutput(AttemptId id) throws IOException, InterruptedException {
    host.await(id, HostRecord.Output.class::isInstance);
  }
}
