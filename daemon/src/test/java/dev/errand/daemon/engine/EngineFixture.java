package dev.errand.daemon.engine;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.IdempotentReply;
import dev.errand.core.engine.Outcome;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.policy.Profile;
import dev.errand.core.session.Notice;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Exit;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.store.memory.MemoryJournal;
import dev.errand.testkit.SequentialIds;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.json.JsonFrameCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An engine on a journal in memory, what its listener was told, and short ways to drive it. */
public final class EngineFixture {
  public static final SessionId SESSION = new SessionId("s1");
  public static final String HOST = "host-a";
  public static final TaskCommand.Claim CLAIM = new TaskCommand.Claim.OnHost(HOST);
  public static final String DIGEST = "b".repeat(64);

  public final TappedJournal journal = new TappedJournal(new MemoryJournal());
  public final SequentialIds ids = new SequentialIds();
  public final SettableClock clock = new SettableClock(Instant.ofEpochMilli(1_000));
  public final Told told = new Told();
  public final List<Throwable> listenerFailures = new CopyOnWriteArrayList<>();
  public final Engine engine = open();

  /** An engine on the same journal, which shuts out the one before. */
  public Engine open() {
    var fence = journal.takeOver("test");
    var opened =
        new Engine(
            journal,
            fence,
            new JsonFrameCodec(),
            ids,
            clock,
            (_, bug) -> listenerFailures.add(bug));
    opened.subscribe(told);
    return opened;
  }

  public TaskId queued() {
    return spawned(new TaskCommand.Spawn(spec(), null));
  }

  /** A task that a person has to approve until then. */
  public TaskId held(long untilMs) {
    var asked = new Ruling.Answer.Asked(untilMs);
    var ruling = new Ruling(Profile.SAFE, asked, "policy.rule 1", null);
    return spawned(new TaskCommand.Spawn(spec().ruled(ruling), null));
  }

  public TaskId claimed() {
    return spawned(new TaskCommand.Spawn(spec(), CLAIM));
  }

  public TaskId running() {
    var taskId = claimed();
    engine.submit(taskId, report(started()), null).orThrow();
    return taskId;
  }

  /** A running task that has so many frames that its output is told once a minute. */
  public TaskId runningWithManyFrames() {
    return running(spec(1));
  }

  public TaskId running(TaskSpec spec) {
    var taskId = spawned(new TaskCommand.Spawn(spec, CLAIM));
    engine.submit(taskId, report(started()), null).orThrow();
    return taskId;
  }

  public TaskId ended() {
    var taskId = running();
    engine.submit(taskId, report(output(3, 0, 10), exited(4, 10)), null).orThrow();
    return taskId;
  }

  private TaskId spawned(TaskCommand spawn) {
    var taskId = ids.nextTask();
    engine.submit(taskId, spawn, null).orThrow();
    return taskId;
  }

  public TaskState state(TaskId taskId) {
    return engine.snapshot(taskId).state();
  }

  /** The seqs that the listener was told of, in the order of telling. */
  public List<Long> toldSeqs(TaskId taskId) {
    return told.frames.getOrDefault(StreamKey.of(taskId), List.of()).stream()
        .map(EncodedFrame::seq)
        .toList();
  }

  public static TaskCommand cancel() {
    return new TaskCommand.Cancel("enough", "ann", 2_000);
  }

  public static TaskCommand report(HostFact... facts) {
    return new TaskCommand.Report(List.of(facts));
  }

  public static HostFact started() {
    return new HostFact.Started(1, 2, new ProcessIdentity(4711, 99, "boot-1", 7), 1_500);
  }

  public static HostFact output(long n, long offset, long bytes) {
    return new HostFact.Output(1, n, LogStream.STDOUT, offset, bytes, 5, Preview.NONE);
  }

  public static HostFact signalled(long n) {
    return new HostFact.Signalled(1, n, "op" + n, "INT", "ann");
  }

  public static HostFact exited(long n, long bytes) {
    var exit = new Exit(0, null, null, null, Exit.Leftovers.NONE, Exit.Usage.UNKNOWN);
    var extents = List.of(new LogEnd.Extent(0, bytes));
    var log = new LogEnd(LogStream.STDOUT, bytes, bytes, 1, DIGEST, extents);
    return new HostFact.Exited(1, n, exit, List.of(log), 2_000);
  }

  /** Answers with the word for what became of the command. */
  public static IdempotentReply guard(String key) {
    return new IdempotentReply(
        key(key),
        "digest",
        outcome ->
            switch (outcome) {
              case Outcome.Accepted _ -> "yes".getBytes(StandardCharsets.UTF_8);
              case Outcome.Refused it -> it.code().name().getBytes(StandardCharsets.UTF_8);
            });
  }

  public static IdempotencyKey key(String key) {
    return new IdempotencyKey("ann", "POST\n/tasks", key);
  }

  public static TaskSpec spec() {
    return spec(100_000);
  }

  public static TaskSpec spec(long framesMax) {
    return new TaskSpec(
        new TaskSpec.Origin(SESSION, "tester", "build", null, null),
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
            Command.OnRestart.LOST));
  }

  /** A listener that keeps all that it is told, and fails where a test wants it to. */
  public static final class Told implements CommitListener {
    public final List<Notice> notices = new CopyOnWriteArrayList<>();
    final Map<StreamKey, List<EncodedFrame>> frames = new ConcurrentHashMap<>();
    final List<Snapshot> moves = new CopyOnWriteArrayList<>();
    final List<TaskId> removals = new CopyOnWriteArrayList<>();
    volatile boolean failing;

    @Override
    public void advanced(StreamKey stream, List<EncodedFrame> more) {
      if (failing) {
        throw new IllegalStateException("a listener with a bug");
      }
      frames.computeIfAbsent(stream, _ -> new CopyOnWriteArrayList<>()).addAll(more);
    }

    @Override
    public void moved(Snapshot before, Snapshot after) {
      moves.add(after);
    }

    @Override
    public void noticed(Snapshot before, Snapshot after, List<Notice> more) {
      notices.addAll(more);
    }

    @Override
    public void removed(Snapshot last, TaskState.Ended state) {
      removals.add(last.taskId());
    }
  }
}
