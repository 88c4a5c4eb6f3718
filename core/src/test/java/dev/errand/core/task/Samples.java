package dev.errand.core.task;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.Command.OnRestart;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values that the tests of this package speak about; a fact without a number is of attempt 1. */
final class Samples {
  static final String HOST = "host-a";
  static final TaskCommand.Claim CLAIM = new TaskCommand.Claim.OnHost(HOST);
  static final ProcessIdentity PROCESS = new ProcessIdentity(4711, 99, "boot-1", 7);
  static final long STARTED_AT = 1_000;
  static final long ENDED_AT = 5_000;
  static final long ASK_UNTIL = 4_000;
  static final String DIGEST = "a".repeat(64);

  private Samples() {}

  static TaskSpec spec() {
    return spec(OnRestart.LOST, 100_000);
  }

  static TaskSpec spec(OnRestart onRestart, long framesMax) {
    return new TaskSpec(
        new TaskSpec.Origin(new SessionId("s1"), "tester", null, null, null),
        new Command(
            "bash",
            new Invocation.Shell("make"),
            "/",
            Environment.NONE,
            new Command.Io(
                Command.ExecutionMode.PIPES,
                true,
                1 << 30,
                Command.OnOutputLimit.TRUNCATE,
                framesMax),
            new Command.Limits(
                null, null, Duration.ofSeconds(5), Duration.ofSeconds(2), Command.Leftover.KILL),
            onRestart));
  }

  /** The same with a terminal. */
  static TaskSpec onTerminal(TaskSpec pipes) {
    var command = (Command) pipes.work();
    var io =
        new Command.Io(
            Command.ExecutionMode.PTY,
            true,
            command.io().capBytes(),
            command.io().onOutputLimit(),
            command.framesMax(),
            TerminalSize.DEFAULT);
    var other =
        new Command(
            command.toolName(),
            command.invocation(),
            command.cwd(),
            command.environment(),
            io,
            command.limits(),
            command.onRestart());
    return new TaskSpec(pipes.origin(), other);
  }

  /** Two watchers, of which the second looks once. */
  static WatchSpec watching() {
    return new WatchSpec(
        WatchSpec.Notify.DONE_ONLY,
        List.of(
            new Watcher("error", new WatchCondition.Regex("ERROR", null), false),
            new Watcher("up", new WatchCondition.Port(8080), true)),
        new WatchCondition.Port(8080));
  }

  static TaskSpec askedSpec() {
    return spec().ruled(asked(ASK_UNTIL));
  }

  static Ruling asked(long untilMs) {
    return new Ruling(Profile.SAFE, new Ruling.Answer.Asked(untilMs), "rule 1", "to see it");
  }

  static TaskEvent spawned() {
    return new TaskEvent.Spawned(spec());
  }

  static TaskEvent spawned(OnRestart onRestart) {
    return new TaskEvent.Spawned(spec(onRestart, 100_000));
  }

  static TaskEvent attempted(int attempt) {
    return new TaskEvent.Attempted(attempt, HOST);
  }

  static TaskEvent begun() {
    return begun(1);
  }

  static TaskEvent begun(int attempt) {
    return new TaskEvent.Started(2, attempt, PROCESS, STARTED_AT);
  }

  static TaskEvent asked() {
    return new TaskEvent.CancelRequested("enough", "ann");
  }

  static TaskEvent output(long record, LogStream stream, long offset, long bytes) {
    return new TaskEvent.Output(
        record, stream, offset, bytes, offset + bytes, (int) record, preview(bytes));
  }

  /** Output that was put together or found again: no checksum, nothing to show. */
  static TaskEvent covered(long record, LogStream stream, long offset, long bytes) {
    return new TaskEvent.Output(record, stream, offset, bytes, offset + bytes, null, Preview.NONE);
  }

  static TaskEvent ended(End end) {
    return new TaskEvent.Ended(end);
  }

  static TaskCommand cancel() {
    return new TaskCommand.Cancel("enough", "ann", ENDED_AT);
  }

  static TaskCommand report(HostFact... facts) {
    return new TaskCommand.Report(List.of(facts));
  }

  static TaskCommand hostLost(List<Long> killed, List<Long> survivors, LogEnd... logs) {
    return new TaskCommand.HostLost(1, killed, survivors, List.of(logs), ENDED_AT);
  }

  static HostFact startedFact(long n) {
    return new HostFact.Started(1, n, PROCESS, STARTED_AT);
  }

  static HostFact outputFact(long n, LogStream stream, long offset, long bytes) {
    return new HostFact.Output(1, n, stream, offset, bytes, (int) n, preview(bytes));
  }

  static HostFact exitedFact(long n, Exit exit, LogEnd... logs) {
    return new HostFact.Exited(1, n, exit, List.of(logs), ENDED_AT);
  }

  static Exit exit(int code) {
    return new Exit(code, null, null, null, Exit.Leftovers.NONE, Exit.Usage.UNKNOWN);
  }

  static Exit killed(@Nullable String killedFor) {
    return new Exit(143, "TERM", killedFor, "term", Exit.Leftovers.NONE, Exit.Usage.UNKNOWN);
  }

  static LogEnd log(LogStream stream, long bytes) {
    return bytes == 0
        ? new LogEnd(stream, 0, 0, 0, null, List.of())
        : new LogEnd(stream, bytes, bytes, 1, DIGEST, List.of(new LogEnd.Extent(0, bytes)));
  }

  static Preview preview(long bytes) {
    return Preview.of(
        "x".repeat((int) Math.min(bytes, 10)).getBytes(java.nio.charset.StandardCharsets.UTF_8),
        bytes);
  }
}
