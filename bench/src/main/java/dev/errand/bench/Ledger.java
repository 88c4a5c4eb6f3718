package dev.errand.bench;

import dev.errand.core.engine.Engine;
import dev.errand.core.task.Exit;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.sqlite.SqliteJournal;
import dev.errand.daemon.task.SpecBuilder;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFrameCodec;
import dev.errand.wire.json.SpawnRequest;
import dev.errand.wire.time.SystemTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The engine on a real journal, without a daemon, a host or processes. Many threads may use it. */
final class Ledger implements AutoCloseable {
  private static final TaskCommand.Claim CLAIM = new TaskCommand.Claim.OnHost("bench");
  private static final int COUNTER_BITS = 12;
  private static final SessionId SESSION = new SessionId("cli");
  private static final String REQUEST =
      """
      {"tool": "exec", "args": {"argv": ["/bin/true"], "cwd": "/"}}
      """;

  private static final Time CLOCK = new SystemTime();

  private final SqliteJournal journal;
  private final Engine engine;
  private final TaskSpec spec;
  private final AtomicLong ids = new AtomicLong(CLOCK.millis() << COUNTER_BITS);

  Ledger(Path database, Durability durability) {
    journal =
        SqliteJournal.open(
            database,
            durability,
            failure -> {
              throw new IllegalStateException("the journal failed", failure);
            },
            CLOCK);
    var fence = journal.takeOver("bench");
    engine = new Engine(journal, fence, new JsonFrameCodec(), this::id, CLOCK, (_, _) -> {});
    var request = SpawnRequest.of(Json.readRequest(REQUEST.getBytes(StandardCharsets.UTF_8)));
    spec =
        new SpecBuilder(() -> Config.DEFAULTS, Path.of("/"))
            .build(request, "cli", SESSION, SpecBuilder.Folders.NONE)
            .spec();
  }

  /** Ids that sort by age, as the daemon's do: each millisecond has its counter, then the next. */
  private String id() {
    var number = ids.incrementAndGet();
    var time = number >>> COUNTER_BITS << 16;
    return new UUID(time | 0x7000 | (number & 0xFFF), number | Long.MIN_VALUE).toString();
  }

  TaskId spawn() {
    var taskId = new TaskId(id());
    engine.submit(taskId, new TaskCommand.Spawn(spec, CLAIM), null).orThrow();
    return taskId;
  }

  /** Records of a task, as a host would report them. */
  void report(TaskId taskId, List<HostFact> facts) {
    engine.submitAll(List.of(new Engine.Submission(taskId, new TaskCommand.Report(facts))));
  }

  /** As many tasks as wanted, spawned and ended, in two commits. */
  void ended(int count) {
    var taskIds = Stream.generate(() -> new TaskId(id())).limit(count).toList();
    engine.submitAll(
        taskIds.stream()
            .map(it -> new Engine.Submission(it, new TaskCommand.Spawn(spec, CLAIM)))
            .toList());
    engine.submitAll(
        taskIds.stream()
            .map(it ->
                new Engine.Submission(it, new TaskCommand.Report(List.of(started(), exited(2)))))
            .toList());
  }

  static HostFact started() {
    var process = new ProcessIdentity(1234, 5678, "bench", 9);
    return new HostFact.Started(1, 1, process, CLOCK.millis());
  }

  static HostFact output(long n, long offset, Preview preview, int bytes) {
    return new HostFact.Output(1, n, LogStream.STDOUT, offset, bytes, 0, preview);
  }

  static HostFact exited(long n) {
    var exit = new Exit(0, null, null, null, Exit.Leftovers.NONE, Exit.Usage.UNKNOWN);
    var logs = List.of(nothing(LogStream.STDOUT), nothing(LogStream.STDERR));
    return new HostFact.Exited(1, n, exit, logs, CLOCK.millis());
  }

  private static LogEnd nothing(LogStream stream) {
    return new LogEnd(stream, 0, 0, 0, null, List.of());
  }

  @Override
  public void close() {
    journal.close();
  }
}
