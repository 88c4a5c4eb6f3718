package dev.errand.host;

import static dev.errand.host.TestHost.code;
import static dev.errand.host.TestHost.only;
import static dev.errand.host.TestHost.terminal;
import static dev.errand.host.TestHost.typed;
import static dev.errand.host.TestHost.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.Command;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.TerminalSize;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.Data;
import dev.errand.host.record.HostRecord;
import dev.errand.testkit.Alone;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A task at a terminal: what it sees, what is typed, and in which order it is recorded. */
final class TerminalTest {
  @TempDir Path home;
  private TestHost host;

  @BeforeEach
  void start() throws Exception {
    host = TestHost.start(home, Duration.ofMillis(500), Host.Settings.SEGMENT_BYTES_MAX_DEFAULT);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  @Test
  void it_is_the_terminal_of_the_task_and_has_its_size() throws Exception {
    var request =
        terminal(
            "tty; stty size; echo $TERM; env | grep -cE '^(COLUMNS|LINES)='; echo err >&2; echo hi >/dev/tty");

    host.run(request);

    assertThat(host.text(request.id()).lines().skip(1))
        .containsExactly("24 80", "xterm-256color", "0", "err", "hi");
    assertThat(host.pty(request.id())).startsWith("/dev/pts/").endsWith("hi\r\n");
  }

  @Test
  void a_caller_may_say_another_kind_of_terminal() throws Exception {
    var program = new HostRequest.Program.Command("echo $TERM");
    var plain = TestHost.request(program, HostRequest.Limits.none(), false, Map.of("TERM", "dumb"));
    var request = TestHost.in(Command.ExecutionMode.PTY, plain);

    host.run(request);

    assertThat(host.text(request.id())).isEqualTo("dumb\n");
  }

  @Test
  void limits_are_on_before_it_begins_here_too() throws Exception {
    var limits = TestHost.limits(new ResourceLimits(null, null, null, 32L, null));
    var plain = TestHost.shell("tty; ulimit -n", limits);

    var request = TestHost.in(Command.ExecutionMode.PTY, plain);
    host.run(request);

    assertThat(host.text(request.id())).startsWith("/dev/pts/").endsWith("\n32\n");
  }

  @Test
  void bytes_are_stored_as_the_terminal_gave_them() throws Exception {
    var wide = "naïve 日本語 😀 e\u0301";
    var request = terminal("printf '%s\\n' '" + wide + "'; printf '\\377\\000\\033[2J'");

    host.run(request);

    var expected = wide.getBytes(UTF_8);
    var log = host.log(request.id(), LogStream.PTY);
    assertThat(log).startsWith(expected);
    assertThat(List.of(log[expected.length], log[expected.length + 1], log[expected.length + 2]))
        .containsExactly((byte) '\r', (byte) '\n', (byte) 0xff);
    assertThat(log).endsWith(0, 27, '[', '2', 'J');
  }

  @Test
  void a_new_size_is_seen_and_recorded_behind_what_came_before() throws Exception {
    var request =
        terminal("trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.02; done");
    host.spawn(request);
    awaitText(request.id(), "ready");

    var size = new TerminalSize(50, 132);
    var resize = new HostRequest.Resize(request.id(), "op-1", size, "ann");
    var first = value(host.client().resize(resize));
    assertThat(value(host.client().resize(resize))).isEqualTo(first);

    host.awaitExit(request.id());
    assertThat(host.text(request.id())).isEqualTo("ready\n50 132\n");
    var resized = only(host.of(request.id()), HostRecord.Resized.class);
    assertThat(resized).hasSize(1);
    assertThat(resized.getFirst().offset()).isEqualTo("ready\r\n".length());
    var before =
        only(host.of(request.id()), HostRecord.Output.class).stream()
            .filter(it -> it.n() < resized.getFirst().n())
            .mapToLong(HostRecord.Output::bytes)
            .sum();
    assertThat(before).isEqualTo("ready\r\n".length());
    assertThat(code(host.client().resize(new HostRequest.Resize(request.id(), "x", size, "ann"))))
        .isEqualTo("ended");
  }

  @Test
  void pipes_have_no_size() throws Exception {
    var request = TestHost.shell("sleep 60");
    host.spawn(request);
    var resize = new HostRequest.Resize(request.id(), "op", TerminalSize.DEFAULT, "ann");

    assertThat(code(host.client().resize(resize))).isEqualTo("no_terminal");
  }

  @Test
  void what_is_typed_is_echoed_behind_its_record_and_eof_ends_the_input() throws Exception {
    var request = terminal("echo ready; cat; echo done");
    host.spawn(request);
    awaitText(request.id(), "ready");

    value(host.client().stdin(typed(request.id(), "op-1", "one\n", false)));
    awaitText(request.id(), "one\none");
    var last = value(host.client().stdin(typed(request.id(), "op-2", "two", true)));

    host.awaitExit(request.id());
    assertThat(last.bytesWritten()).isEqualTo(3);
    assertThat(host.text(request.id()).replace("^D\b\b", ""))
        .isEqualTo("ready\none\none\ntwotwodone\n");
    assertThat(host.of(request.id()))
        .extracting(it -> (Object) it.getClass().getSimpleName())
        .containsSubsequence("Output", "Stdin", "Output", "Stdin", "Output", "Exited");
    var typed = only(host.of(request.id()), HostRecord.Stdin.class);
    assertThat(typed).extracting(HostRecord.Stdin::eof).containsExactly(false, true);
    assertThat(typed).extracting(HostRecord.Stdin::bytes).containsExactly(4, 3);
  }

  @ParameterizedTest
  @CsvSource({"INT, ^C", "QUIT, ^\\"})
  void a_signal_of_a_key_stops_what_is_in_front_and_not_the_shell(String signal, String echo)
      throws Exception {
    var request = terminal("exec bash --norc --noprofile -i");
    host.spawn(request);
    type(request.id(), "PS1=; echo rea''dy; sleep 60; echo af''ter\n");
    awaitText(request.id(), "ready");
    await().until(() -> inFront(request.id()).equals("sleep"));

    value(host.client().signal(new HostRequest.Signal(request.id(), "s", signal, "ann")));
    type(request.id(), "echo still the''re; exit 3\n");

    var exited = host.awaitExit(request.id());
    assertThat(exited.code()).isEqualTo(3);
    assertThat(host.text(request.id())).contains("still there", echo);
  }

  @Test
  void where_the_key_is_no_signal_those_in_front_get_it() throws Exception {
    var request =
        terminal(
            "trap 'stty sane; echo got; exit 4' INT; stty raw; echo ready; while :; do sleep 0.02; done");
    host.spawn(request);
    awaitText(request.id(), "ready");

    value(host.client().signal(new HostRequest.Signal(request.id(), "s", "INT", "ann")));

    assertThat(host.awaitExit(request.id()).code()).isEqualTo(4);
  }

  @Test
  void a_line_that_the_terminal_would_cut_is_refused() throws Exception {
    var request =
        terminal("stty -echo; echo ready; wc -c; stty raw; echo raw; head -c 5000 | wc -c");
    host.spawn(request);
    awaitText(request.id(), "ready");

    var tooLong = host.client().stdin(typed(request.id(), "1", "x".repeat(4_096), false));
    assertThat(code(tooLong)).isEqualTo("line_too_long");
    assertThat(((Answer.Refused<?>) tooLong).message()).contains("4095 bytes on one line");
    type(request.id(), "x".repeat(4_000));
    var further = host.client().stdin(typed(request.id(), "3", "x".repeat(96), false));
    assertThat(code(further)).isEqualTo("line_too_long");
    type(request.id(), "x".repeat(95) + "\n" + "y".repeat(4_000) + "\n");
    value(host.client().stdin(typed(request.id(), "5", "", true)));
    awaitText(request.id(), "8097");
    awaitText(request.id(), "raw");
    type(request.id(), "z".repeat(5_000));

    host.awaitExit(request.id());
    assertThat(host.text(request.id())).endsWith("5000\n");
  }

  @Test
  void a_program_that_does_not_read_fills_its_terminal_and_signals_pass_by() throws Exception {
    var line =
        "stty raw -echo; trap 'echo got; exit 5' INT; echo ready; while :; do sleep 0.02; done";
    var request = terminal(line);
    host.spawn(request);
    awaitText(request.id(), "ready");
    var data = Data.of(new byte[1 << 20]);

    var full =
        host.client().stdin(new HostRequest.Stdin(request.id(), "1", data, false, true, "cli"));

    assertThat(code(full)).isEqualTo("STDIN_FULL");
    assertThat(((Answer.Refused<?>) full).bytesWritten()).isBetween(1L, (1L << 20) - 1);
    value(host.client().signal(new HostRequest.Signal(request.id(), "s", "INT", "ann")));
    assertThat(host.awaitExit(request.id()).code()).isEqualTo(5);
  }

  @Test
  @Alone
  void a_terminal_that_nobody_has_open_is_no_end_and_can_be_opened_again() throws Exception {
    var request =
        terminal(
            "T=$(tty); echo one; exec <&- >&- 2>&-; sleep 0.7; echo two >$T; sleep 0.7; exit 6");
    host.spawn(request);
    awaitText(request.id(), "one");
    var before = ioThreadsMs();

    var exited = host.awaitExit(request.id());

    assertThat(exited.code()).isEqualTo(6);
    assertThat(host.text(request.id())).isEqualTo("one\ntwo\n");
    assertThat(ioThreadsMs() - before).isLessThan(300);
  }

  @Test
  void an_interactive_shell_is_cancelled_and_its_grace_is_not_waited_for() throws Exception {
    var limits =
        new HostRequest.Limits(
            1 << 20,
            HostRequest.OnOutputLimit.TRUNCATE,
            null,
            null,
            Duration.ofMinutes(10),
            HostRequest.Limits.DRAIN_DEFAULT);
    var line = TestHost.shell("exec bash --norc --noprofile -i", limits);
    var request = TestHost.in(Command.ExecutionMode.PTY, line);
    host.spawn(request);
    type(request.id(), "echo rea''dy; sleep 60\n");
    awaitText(request.id(), "ready");
    await().until(() -> inFront(request.id()).equals("sleep"));

    host.cancel(request.id());
    var exited = host.awaitExit(request.id());

    assertThat(exited.step()).isEqualTo("term");
    assertThat(exited.survivors()).isEmpty();
  }

  @Test
  void who_hears_no_longer_when_it_is_looked_at_again_is_hung_up_on() throws Exception {
    var request = terminal("trap 'trap \"\" TERM' TERM; echo ready; while :; do sleep 0.05; done");
    host.spawn(request);
    awaitText(request.id(), "ready");

    host.cancel(request.id());

    assertThat(host.awaitExit(request.id()).step()).isEqualTo("term");
  }

  @Test
  void an_id_that_was_used_for_other_bytes_is_refused() throws Exception {
    var request = terminal("cat");
    host.spawn(request);
    var write = typed(request.id(), "w-1", "a\n", false);

    assertThat(host.client().stdin(write)).isEqualTo(host.client().stdin(write));
    assertThat(code(host.client().stdin(typed(request.id(), "w-1", "b\n", false))))
        .isEqualTo("bad_request");
    assertThat(only(host.of(request.id()), HostRecord.Stdin.class)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void an_idle_terminal_takes_three_descriptors() throws Exception {
    var before = value(host.client().stats()).fds();
    for (var i = 0; i < 20; i++) {
      host.spawn(terminal("exec sleep 300"));
    }
    await().until(() -> value(host.client().stats()).running() == 20);

    assertThat(value(host.client().stats()).fds() - before).isLessThanOrEqualTo(20 * 3 + 5);
  }

  private void type(AttemptId id, String text) throws Exception {
    value(host.client().stdin(typed(id, "t" + System.nanoTime(), text, false)));
  }

  private void awaitText(AttemptId id, String text) {
    await().until(() -> host.text(id).contains(text));
  }

  /** The name of the program in front, as the kernel knows it. */
  private String inFront(AttemptId id) throws Exception {
    var started = (HostRecord.Started) host.await(id, HostRecord.Started.class::isInstance);
    var stat = Files.readString(Path.of("/proc/" + started.pid() + "/stat"));
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    var group = Long.parseLong(fields[5]);
    return group <= 0 ? "" : Files.readString(Path.of("/proc/" + group + "/comm")).strip();
  }

  private static long ioThreadsMs() {
    var threads = ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().startsWith("host-io-"))
        .mapToLong(it -> threads.getThreadCpuTime(it.threadId()) / 1_000_000)
        .sum();
  }
}
