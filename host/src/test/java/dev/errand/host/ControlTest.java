package dev.errand.host;

import static dev.errand.host.TestHost.code;
import static dev.errand.host.TestHost.only;
import static dev.errand.host.TestHost.shell;
import static dev.errand.host.TestHost.shellWithStdin;
import static dev.errand.host.TestHost.typed;
import static dev.errand.host.TestHost.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.time.Time;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.Data;
import dev.errand.host.record.HostRecord;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be asked of a host, and what it does when asked twice. */
final class ControlTest {
  private static final Time MACHINE = new SystemTime();

  @TempDir Path home;
  private TestHost host;

  @BeforeEach
  void start() throws Exception {
    host = TestHost.start(home, Duration.ofMillis(300), 4_096);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  @Test
  void what_is_typed_comes_back_in_order_and_ends_with_eof() throws Exception {
    var request = shellWithStdin("cat");
    host.spawn(request);

    var first = value(host.client().stdin(typed(request.id(), "op-1", "one\n", false)));
    value(host.client().stdin(typed(request.id(), "op-2", "two\n", false)));
    value(host.client().stdin(typed(request.id(), "op-3", "", true)));

    host.awaitExit(request.id());
    assertThat(first.bytesWritten()).isEqualTo(4);
    assertThat(host.stdout(request.id())).isEqualTo("one\ntwo\n");
    var typed = only(host.of(request.id()), HostRecord.Stdin.class);
    assertThat(typed).extracting(HostRecord.Stdin::opId).containsExactly("op-1", "op-2", "op-3");
    assertThat(typed).extracting(HostRecord.Stdin::by).containsOnly("tester");
    assertThat(typed.getFirst().n()).isEqualTo(first.n());
    assertThat(typed.getLast().eof()).isTrue();
    assertThat(code(host.client().stdin(typed(request.id(), "op-4", "x", false))))
        .isEqualTo("STDIN_CLOSED");
  }

  @Test
  void output_that_came_before_a_write_stands_before_it_in_the_records() throws Exception {
    var request = shellWithStdin("printf 'name? '; read name; echo hello $name");
    host.spawn(request);
    host.await(request.id(), HostRecord.Output.class::isInstance);

    value(host.client().stdin(typed(request.id(), "op-1", "sue\n", false)));

    host.awaitExit(request.id());
    assertThat(host.of(request.id()))
        .extracting(it -> (Object) it.getClass().getSimpleName())
        .containsSubsequence("Output", "Stdin", "Output", "Exited");
  }

  @Test
  void a_process_that_does_not_read_fills_its_input_and_signals_pass_by() throws Exception {
    var request = shellWithStdin("trap 'echo usr1' USR1; echo ready; while :; do sleep 0.05; done");
    host.spawn(request);
    host.await(request.id(), HostRecord.Output.class::isInstance);
    var big = Data.of(new byte[1 << 20]);
    var write = new HostRequest.Stdin(request.id(), "op-1", big, false, true, "cli");
    var full = new java.util.concurrent.CompletableFuture<Answer<?>>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            full.complete(host.client().stdin(write));
          } catch (Exception e) {
            full.completeExceptionally(e);
          }
        });

    var signal = new HostRequest.Signal(request.id(), "op-2", "USR1", "test");
    value(host.client().signal(signal));

    var answer = (Answer.Refused<?>) full.get(10, TimeUnit.SECONDS);
    assertThat(answer.code()).isEqualTo("STDIN_FULL");
    assertThat(answer.bytesWritten()).isBetween(1L, (1L << 20) - 1);
    host.cancel(request.id());
    host.awaitExit(request.id());
    var typed = only(host.of(request.id()), HostRecord.Stdin.class).getFirst();
    assertThat(typed.full()).isTrue();
    assertThat((long) typed.bytes()).isEqualTo(answer.bytesWritten());
    assertThat(typed.data().length()).isZero();
  }

  @Test
  void a_task_without_stdin_says_so() throws Exception {
    var request = shell("sleep 60");
    host.spawn(request);

    assertThat(code(host.client().stdin(typed(request.id(), "op-1", "x", false))))
        .isEqualTo("NO_STDIN");
  }

  @Test
  void an_operation_asked_twice_is_applied_once() throws Exception {
    var request = shellWithStdin("trap 'echo usr1' USR1; cat; cat");
    host.spawn(request);
    var write = typed(request.id(), "op-1", "once\n", false);
    var signal = new HostRequest.Signal(request.id(), "op-2", "CONT", "test");

    assertThat(host.client().stdin(write)).isEqualTo(host.client().stdin(write));
    assertThat(host.client().signal(signal)).isEqualTo(host.client().signal(signal));

    value(host.client().stdin(typed(request.id(), "op-3", "", true)));
    host.awaitExit(request.id());
    assertThat(host.stdout(request.id())).isEqualTo("once\n");
    assertThat(only(host.of(request.id()), HostRecord.Signalled.class)).hasSize(1);
  }

  @Test
  void a_signal_reaches_the_group_and_strange_ones_are_refused() throws Exception {
    var request = shell("trap 'echo got; exit 9' USR1; echo ready; while :; do sleep 0.02; done");
    host.spawn(request);
    host.await(request.id(), HostRecord.Output.class::isInstance);

    var strange = new HostRequest.Signal(request.id(), "op-1", "SEGV", "test");
    assertThat(code(host.client().signal(strange))).isEqualTo("bad_request");
    value(host.client().signal(new HostRequest.Signal(request.id(), "op-2", "USR1", "test")));

    assertThat(host.awaitExit(request.id()).code()).isEqualTo(9);
    var late = new HostRequest.Signal(request.id(), "op-3", "USR1", "test");
    assertThat(code(host.client().signal(late))).isEqualTo("ended");
  }

  @Test
  void the_same_attempt_is_spawned_once(@TempDir Path folder) throws Exception {
    var request = shell("echo x >> " + folder.resolve("count"));

    var answers =
        IntStream.range(0, 20).parallel().mapToObj(_ -> spawnQuietly(request)).distinct().toList();

    host.awaitExit(request.id());
    assertThat(answers).containsExactly(true);
    assertThat(host.spawn(request)).isTrue();
    assertThat(Files.readString(folder.resolve("count"))).isEqualTo("x\n");
    assertThat(only(host.of(request.id()), HostRecord.Started.class)).hasSize(1);
  }

  private boolean spawnQuietly(HostRequest.Spawn request) {
    try {
      return host.spawn(request);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void what_was_forgotten_is_never_spawned() throws Exception {
    var request = shell("echo never");

    value(host.client().forget(new HostRequest.Forget(request.id())));
    value(host.client().forget(new HostRequest.Forget(request.id())));

    assertThat(code(host.client().spawn(request))).isEqualTo("forgotten");
    host.await(request.id(), HostRecord.Forgotten.class::isInstance);
    assertThat(host.of(request.id())).hasSize(1);
  }

  @Test
  void what_was_started_cannot_be_forgotten() throws Exception {
    var request = shell("sleep 60");
    host.spawn(request);

    assertThat(code(host.client().forget(new HostRequest.Forget(request.id()))))
        .isEqualTo("started");
    var over = shell("exit 3");
    host.spawn(over);
    host.await(over.id(), HostRecord.Exited.class::isInstance);
    await()
        .until(() -> code(host.client().forget(new HostRequest.Forget(over.id()))).equals("ended"));
  }

  @Test
  void what_is_over_answers_so_to_everything_and_is_not_started_again() throws Exception {
    var over = shell("exit 3");
    host.run(over);
    var id = over.id();

    await().until(() -> value(host.client().cancel(new HostRequest.Cancel(id, null, "x"))).ended());
    var signal = new HostRequest.Signal(id, "late", "TERM", "cli");
    await().until(() -> code(host.client().signal(signal)).equals("ended"));
    assertThat(host.spawn(over)).isTrue();
    assertThat(host.of(id)).filteredOn(HostRecord.Started.class::isInstance).hasSize(1);
  }

  @Test
  void a_daemon_of_another_journal_is_refused_and_the_right_one_stays() throws Exception {
    var address = HostFiles.of(new ErrandHome(home), "host-1").address();
    try (var stranger = HostClient.connect(address, MACHINE, () -> {}, () -> {})) {
      assertThat(code(stranger.stats())).isEqualTo("bad_request");
      assertThat(code(stranger.hello("journal-2", "build-1"))).isEqualTo("other_journal");
    }

    await().until(() -> value(host.client().stats()).running() == 0);
  }

  @Test
  void a_new_daemon_replaces_the_old_one() throws Exception {
    var address = HostFiles.of(new ErrandHome(home), "host-1").address();
    var closed = new CountDownLatch(1);
    try (var old = HostClient.connect(address, MACHINE, () -> {}, closed::countDown)) {
      value(old.hello(TestHost.JOURNAL, "build-1"));
      try (var fresh = HostClient.connect(address, MACHINE, () -> {}, () -> {})) {
        assertThat(value(fresh.hello(TestHost.JOURNAL, "build-1")).hostId()).isEqualTo("host-1");
        assertThat(closed.await(5, TimeUnit.SECONDS)).isTrue();
      }
    }
    host.reconnect();
  }

  @Test
  void consumed_segments_are_deleted_and_their_attempts_forgotten() throws Exception {
    for (var i = 0; i < 20; i++) {
      host.run(shell("echo " + i));
    }
    var segment = host.segment();
    assertThat(segment).isGreaterThan(1);

    value(host.client().consumed(segment));

    var records = HostFiles.of(new ErrandHome(home), "host-1").records();
    try (var files = Files.list(records)) {
      assertThat(files.map(it -> it.getFileName().toString()).sorted().findFirst())
          .contains("%016d.rec".formatted(segment));
    }
    assertThat(value(host.client().stats()).attempts()).isLessThan(20);
  }

  @Test
  void shutdown_without_kill_is_refused_while_tasks_run() throws Exception {
    host.spawn(shell("sleep 60"));

    assertThat(code(host.client().shutdown(false))).isEqualTo("tasks_running");
  }

  @Test
  void three_hundred_quiet_tasks_do_not_hold_up_the_next() throws Exception {
    var quiet = IntStream.range(0, 300).mapToObj(_ -> shell("exec sleep 300")).toList();
    for (var request : quiet) {
      assertThat(host.spawn(request)).isTrue();
    }
    await().until(() -> value(host.client().stats()).running() == 300);

    host.run(shell("echo quick"));

    // Its end is on record a moment before the host counts it as over.
    await().until(() -> value(host.client().stats()).running() == 300);
    assertThat(value(host.client().stats()).fds()).isLessThan(300 * 3 + 200);
  }
}
