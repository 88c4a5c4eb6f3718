package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.Command;
import dev.errand.core.task.LogStream;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Grace, drain and the limits of time, by a clock that the test moves, with pipes and a terminal.
 */
@ParameterizedClass
@EnumSource(Command.ExecutionMode.class)
final class TimeLimitsTest {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration ALMOST = LIMIT.minusSeconds(30);

  /** Short, since it passes in small steps. */
  private static final Duration DRAIN = Duration.ofSeconds(2);

  private final Command.ExecutionMode mode;
  private final SettableClock clock = new SettableClock(Instant.ofEpochSecond(1_000));
  @TempDir Path home;
  private TestHost host;
  private int operations;

  TimeLimitsTest(Command.ExecutionMode mode) {
    this.mode = mode;
  }

  @BeforeEach
  void start() throws Exception {
    host = TestHost.start(home, clock);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  @Test
  void cancel_kills_what_ignores_term_and_a_second_cancel_changes_nothing() throws Exception {
    var request = shell("trap '' TERM HUP; echo ready; while :; do sleep 1; done", grace(LIMIT));
    host.spawn(request);
    awaitOutput(request.id());

    host.cancel(request.id());
    clock.advance(ALMOST);
    host.cancel(request.id());
    awaitLoop(request.id());
    clock.advance(LIMIT);

    var exited = host.awaitExit(request.id());
    assertThat(exited.signal()).isEqualTo("KILL");
    assertThat(exited.step()).isEqualTo("kill");
    var steps = only(host.of(request.id()), HostRecord.KillStep.class);
    assertThat(steps)
        .extracting(HostRecord.KillStep::step)
        .startsWith("term", "kill")
        .containsOnlyOnce("term", "kill");
    assertThat(between(steps.getFirst(), steps.get(1))).isGreaterThanOrEqualTo(LIMIT);
  }

  @Test
  void a_leftover_that_holds_the_pipe_does_not_hold_up_the_end() throws Exception {
    var request = shell("trap '' HUP; sleep 60 & echo $!; exit 5", drain(DRAIN));
    host.spawn(request);
    var first = awaitOutput(request.id());

    var exited = host.awaitExit(request.id());

    var left = Long.parseLong(host.text(request.id()).strip());
    assertThat(exited.code()).isEqualTo(5);
    assertThat(exited.pipeHeld()).isTrue();
    assertThat(between(first, exited)).isGreaterThanOrEqualTo(DRAIN);
    assertThat(exited.leftover()).isEqualTo("killed");
    assertThat(exited.killed()).containsExactly(left);
    assertThat(exited.processes())
        .singleElement()
        .satisfies(it -> assertThat(it.pid()).isEqualTo(left))
        .satisfies(it -> assertThat(it.command()).contains("sleep 60"));
    assertThat(ProcFs.stat(left).filter(ProcFs.Stat::alive)).isEmpty();
  }

  @Test
  void a_leftover_may_be_kept_and_its_output_is_discarded() throws Exception {
    var line = "trap '' HUP; (while :; do echo more; sleep 0.05; done) & echo $!; exit 0";
    var request = TestHost.keeping(shell(line, drain(DRAIN)));
    host.spawn(request);

    var exited = host.awaitExit(request.id());

    assertThat(exited.leftover()).isEqualTo("kept");
    var stored = host.log(request.id(), stream()).length;
    assertThat((long) stored).isEqualTo(exited.streams().getFirst().bytesStored());
    await().until(() -> TestHost.value(host.client().stats()).discardedBytes() > 0);
    assertThat(host.log(request.id(), stream())).hasSize(stored);
    var left =
        host.text(request.id())
            .lines()
            .filter(it -> !it.equals("more"))
            .mapToLong(Long::parseLong)
            .findFirst()
            .orElseThrow();
    assertThat(ProcessHandle.of(left).orElseThrow().destroyForcibly()).isTrue();
  }

  @Test
  void a_timeout_is_kept_while_no_daemon_is_there() throws Exception {
    var wall = shell("echo once; sleep 60", limits(LIMIT, null));
    var idle = shell("echo once; sleep 60", limits(null, LIMIT));
    host.spawn(wall);
    host.spawn(idle);
    awaitOutput(wall.id());
    awaitOutput(idle.id());
    awaitLoop(idle.id());

    host.client().close();
    clock.advance(LIMIT);
    var exits = List.of(host.awaitExit(wall.id()), host.awaitExit(idle.id()));
    host.reconnect();

    assertThat(exits).extracting(HostRecord.Exited::cause).containsExactly("wall", "idle");
  }

  @Test
  void the_wall_timeout_kills_and_says_so() throws Exception {
    var request = shell("while :; do echo tick; sleep 0.02; done", limits(LIMIT, null));
    host.spawn(request);
    var first = awaitOutput(request.id());
    clock.advance(ALMOST);
    awaitLoop(request.id());
    clock.advance(LIMIT);

    var exited = host.awaitExit(request.id());

    assertThat(exited.cause()).isEqualTo("wall");
    var passed = only(host.of(request.id()), HostRecord.LimitPassed.class);
    assertThat(passed)
        .extracting(HostRecord.LimitPassed::limit, HostRecord.LimitPassed::value)
        .containsExactly(tuple("wall", LIMIT.toMillis()));
    assertThat(between(first, passed.getFirst())).isGreaterThan(ALMOST);
  }

  @Test
  void the_idle_timeout_counts_from_the_last_output() throws Exception {
    var words = home.resolve("words");
    assertThat(new ProcessBuilder("mkfifo", words.toString()).start().waitFor()).isZero();
    var program =
        new HostRequest.Program.Command(
            "echo 0; while :; do read word <$WORDS && echo $word; done");
    var env = Map.of("WORDS", words.toString());
    var request = TestHost.in(mode, TestHost.request(program, limits(null, LIMIT), false, env));
    host.spawn(request);
    awaitOutput(request.id());
    awaitLoop(request.id());
    for (var i = 1; i <= 3; i++) {
      clock.advance(ALMOST);
      awaitLoop(request.id());
      Files.writeString(words, i + "\n");
      var outputs = i + 1;
      host.await(request.id(), _ -> outputs(request.id()).size() == outputs);
      awaitLoop(request.id());
    }
    clock.advance(LIMIT);

    var exited = host.awaitExit(request.id());

    assertThat(exited.cause()).isEqualTo("idle");
    assertThat(host.text(request.id()).lines()).containsExactly("0", "1", "2", "3");
    var passed = only(host.of(request.id()), HostRecord.LimitPassed.class).getFirst();
    assertThat(between(outputs(request.id()).getLast(), passed)).isGreaterThanOrEqualTo(LIMIT);
  }

  private static Duration between(HostRecord first, HostRecord second) {
    return Duration.ofMillis(second.timestampMs() - first.timestampMs());
  }

  private List<HostRecord.Output> outputs(AttemptId id) {
    return only(host.of(id), HostRecord.Output.class);
  }

  /**
   * Until the host's thread for the task is done with what it was at, and has looked for what is
   * due: a record can be read before the thread has noted when it was made.
   */
  private void awaitLoop(AttemptId id) throws IOException, InterruptedException {
    for (var i = 0; i < 2; i++) {
      var opId = "op-" + ++operations;
      TestHost.value(host.client().signal(new HostRequest.Signal(id, opId, "CONT", "test")));
    }
  }

  private HostRequest.Spawn shell(String line, HostRequest.Limits limits) {
    return TestHost.in(mode, TestHost.shell(line, limits));
  }

  private LogStream stream() {
    return mode == Command.ExecutionMode.PTY ? LogStream.PTY : LogStream.STDOUT;
  }

  private HostRecord awaitOutput(AttemptId id) throws IOException, InterruptedException {
    return host.await(id, HostRecord.Output.class::isInstance);
  }

  private static HostRequest.Limits grace(Duration grace) {
    return limits(null, null, grace, HostRequest.Limits.DRAIN_DEFAULT);
  }

  private static HostRequest.Limits drain(Duration drain) {
    return limits(null, null, HostRequest.Limits.GRACE_DEFAULT, drain);
  }

  private static HostRequest.Limits limits(@Nullable Duration wall, @Nullable Duration idle) {
    return limits(wall, idle, HostRequest.Limits.GRACE_DEFAULT, HostRequest.Limits.DRAIN_DEFAULT);
  }

  private static HostRequest.Limits limits(
      @Nullable Duration wall, @Nullable Duration idle, Duration grace, Duration drain) {
    return new HostRequest.Limits(
        1 << 20, HostRequest.OnOutputLimit.TRUNCATE, wall, idle, grace, drain);
  }
}
