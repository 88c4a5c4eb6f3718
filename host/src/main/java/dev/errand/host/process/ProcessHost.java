package dev.errand.host.process;

import dev.errand.core.time.Time;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.log.OpenLogs;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.protocol.RefusalCode;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** All attempts of this host, and the operations on them. No call here blocks. */
public final class ProcessHost implements AutoCloseable {
  private static final int IO_THREADS = 2;
  private static final int SPAWN_THREADS = 2;

  /**
   * Ends that wait for stubborn processes must not delay the others; beyond this number they queue.
   */
  private static final int SLOW_THREADS = 16;

  /** Searches are short, and more at a time would not be faster; beyond this number they queue. */
  private static final int LOOK_THREADS = 2;

  /**
   * The maximum number of processes that live on, and of their tasks, that is reported to the
   * daemon.
   */
  private static final int LEFT_MAX = 1_000;

  private static final int LEFT_TASKS_MAX = 10_000;

  private final Map<AttemptId, Attempt> attempts = new ConcurrentHashMap<>();
  private final AtomicLong running = new AtomicLong();
  private final AtomicLong discarded = new AtomicLong();
  private final Sweeper sweeper;
  private final Syncer syncer;
  private final PeakMeter meters;
  private final ExecutorService spawning = pool("host-spawn-", SPAWN_THREADS);
  private final ExecutorService slow = restingPool("host-slow-", SLOW_THREADS);
  private final ExecutorService looking = restingPool("host-look-", LOOK_THREADS);
  private final RecordWriter records;
  private final Spawner spawner;
  private final List<IoLoop> loops;
  private final Time clock;
  private volatile List<Orphans.Orphan> orphansSeen = List.of();
  private volatile boolean refusing;

  /** The parts that this class is given. */
  public record Settings(
      Path logs,
      DescriptorBudget budget,
      Duration stdinTimeout,
      LimitMechanisms mechanisms,
      Path gate,
      String journalId) {}

  private ProcessHost(RecordWriter records, Settings settings, List<IoLoop> loops, Time clock)
      throws IOException {
    this.records = records;
    this.clock = clock;
    this.syncer = Syncer.start(clock);
    this.meters = PeakMeter.start(clock);
    this.loops = List.copyOf(loops);
    var mark = Tag.mark(settings.journalId());
    var orphans = new Orphans(mark, clock);
    this.sweeper = new Sweeper(settings.mechanisms(), orphans, clock);
    var openLogs = new OpenLogs(settings.budget().logsMax(), settings.logs(), clock);
    var services =
        new HostServices(
            records,
            settings.logs(),
            openLogs,
            sweeper,
            orphans,
            syncer,
            slow,
            looking,
            discarded,
            settings.stdinTimeout(),
            settings.mechanisms(),
            meters,
            settings.gate(),
            clock);
    this.spawner = new Spawner(services, settings.budget(), mark);
  }

  public static ProcessHost start(RecordWriter records, Settings settings, Time clock)
      throws IOException {
    var loops = new ArrayList<IoLoop>();
    for (var i = 0; i < IO_THREADS; i++) {
      loops.add(IoLoop.start(i, clock));
    }
    return new ProcessHost(records, settings, loops, clock);
  }

  /** Threads that spawn stay for ever: a child belongs to the thread that created it. */
  private static ExecutorService pool(String name, int threads) {
    return Executors.newFixedThreadPool(
        threads, Thread.ofPlatform().daemon().name(name, 0).factory());
  }

  /** Its threads end when they are idle. */
  private static ExecutorService restingPool(String name, int threads) {
    var pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(name, 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Answers once it is recorded whether the process was started. */
  public CompletableFuture<Answer<HostReply.Spawned>> spawn(HostRequest.Spawn request) {
    if (refusing) {
      return refused(
          RefusalCode.SHUTTING_DOWN, "this host is shutting down and accepts no more tasks");
    }
    var fresh = new Attempt();
    var known = attempts.putIfAbsent(request.id(), fresh);
    if (known != null) {
      return known.answer();
    }
    running.incrementAndGet();
    spawning.execute(() -> spawnNow(request, fresh));
    return fresh.answer();
  }

  private void spawnNow(HostRequest.Spawn request, Attempt attempt) {
    try {
      var loop = loops.get(Math.floorMod(request.id().hashCode(), loops.size()));
      switch (spawner.spawn(request, loop, segment -> ended(attempt, segment))) {
        case Spawner.Outcome.Started(var child) -> attempt.started(child);
        case Spawner.Outcome.NotStarted(var segment) -> {
          attempt.notStarted(segment);
          running.decrementAndGet();
        }
      }
    } catch (RuntimeException e) {
      running.decrementAndGet();
      attempt.answer().completeExceptionally(e);
    }
  }

  private void ended(Attempt attempt, long segment) {
    attempt.ended(segment);
    running.decrementAndGet();
  }

  /** Makes sure that an attempt which was not started never starts. */
  public CompletableFuture<Answer<HostReply.Ok>> forget(HostRequest.Forget request) {
    var forgotten = Attempt.forgotten();
    var known = attempts.putIfAbsent(request.id(), forgotten);
    if (known != null) {
      return known.answer().thenApply(answer -> forgetKnown(known, answer));
    }
    var recorder = new Recorder(records, request.id(), clock);
    forgotten.ended(recorder.add(HostRecord.Forgotten::new).segment());
    return done(new HostReply.Ok());
  }

  private static Answer<HostReply.Ok> forgetKnown(
      Attempt attempt, Answer<HostReply.Spawned> answer) {
    return switch (answer) {
      case Answer.Done(var spawned) when spawned.started() && attempt.hasEnded() ->
          new Answer.Refused<>(RefusalCode.ENDED, "the attempt was started and is over", 0);
      case Answer.Done(var spawned) when spawned.started() ->
          new Answer.Refused<>(RefusalCode.STARTED, "the attempt was started", 0);
      // It failed to start or was withdrawn before: it will not run either way.
      case Answer.Done(var _) -> new Answer.Done<>(new HostReply.Ok());
      case Answer.Refused<HostReply.Spawned> _ -> new Answer.Done<>(new HostReply.Ok());
    };
  }

  /** Answers after TERM was sent. */
  public CompletableFuture<Answer<HostReply.Cancelling>> cancel(HostRequest.Cancel request) {
    var attempt = attempts.get(request.id());
    if (attempt != null && attempt.isOver()) {
      return done(new HostReply.Cancelling(true));
    }
    return onChild(
        request.id(),
        child ->
            CompletableFuture.completedFuture(
                new Answer.Done<>(new HostReply.Cancelling(child.cancel(request.grace())))));
  }

  public CompletableFuture<Answer<HostReply.Signalled>> signal(HostRequest.Signal request) {
    return onChild(request.id(), child -> child.signal(request));
  }

  public CompletableFuture<Answer<HostReply.StdinWritten>> stdin(HostRequest.Stdin request) {
    return onChild(request.id(), child -> child.stdin(request));
  }

  public CompletableFuture<Answer<HostReply.Resized>> resize(HostRequest.Resize request) {
    return onChild(request.id(), child -> child.resize(request));
  }

  /** Runs it on the child's own thread, after its start if that is still in progress. */
  private <T> CompletableFuture<Answer<T>> onChild(
      AttemptId id, Function<Child, CompletableFuture<Answer<T>>> operation) {
    var attempt = attempts.get(id);
    if (attempt == null) {
      return refused(RefusalCode.UNKNOWN_TASK, "this host does not know the attempt");
    }
    return attempt
        .answer()
        .thenCompose(_ -> {
          var child = attempt.running();
          if (child != null) {
            return onLoop(child, operation);
          }
          return attempt.isOver()
              ? refused(RefusalCode.ENDED, "the task has ended")
              : refused(RefusalCode.NOT_STARTED, "the attempt was not started");
        });
  }

  private static <T> CompletableFuture<Answer<T>> onLoop(
      Attempt.Running running, Function<Child, CompletableFuture<Answer<T>>> operation) {
    var answer = new CompletableFuture<Answer<T>>();
    running
        .loop()
        .execute(() -> {
          try {
            var _ =
                operation
                    .apply(running.child())
                    .thenAccept(answer::complete)
                    .exceptionally(e -> {
                      answer.completeExceptionally(e);
                      return null;
                    });
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  /** Kills what is left of an attempt of a dead host. */
  public CompletableFuture<Answer<HostReply.Swept>> sweep(HostRequest.Sweep request) {
    return CompletableFuture.supplyAsync(() -> sweepNow(request), slow);
  }

  private Answer<HostReply.Swept> sweepNow(HostRequest.Sweep request) {
    try {
      var swept = sweeper.sweepDead(request);
      return new Answer.Done<>(new HostReply.Swept(swept.killed(), swept.survivors()));
    } catch (IOException e) {
      return new Answer.Refused<>(RefusalCode.INTERNAL, Objects.toString(e.getMessage()), 0);
    }
  }

  /** The records of earlier segments are in the journal and need not be stored here. */
  public void forgetBefore(long segment) {
    attempts.values().removeIf(it -> it.endedBefore(segment));
  }

  /** Attempts that are starting, running or ending. */
  public long running() {
    return running.get();
  }

  /** Attempts that are stored. */
  public long remembered() {
    return attempts.size();
  }

  /** Adopted processes without marks that may belong to several tasks, or to no known one. */
  public List<ProcFs.Stat> escaped() {
    return orphansSeen.stream().filter(it -> !it.kept()).map(Orphans.Orphan::stat).toList();
  }

  /**
   * All adopted processes that live on outside the tasks; only a part of very many, and only a part
   * of their possible tasks.
   */
  public List<HostReply.Left> left() {
    var left = new ArrayList<HostReply.Left>();
    var tasksLeft = LEFT_TASKS_MAX;
    for (var orphan : orphansSeen) {
      if (left.size() == LEFT_MAX) {
        break;
      }
      var tasks = orphan.tasks().stream().distinct().limit(tasksLeft).toList();
      tasksLeft -= tasks.size();
      var stat = orphan.stat();
      left.add(
          new HostReply.Left(stat.pid(), stat.startTicks(), stat.name(), tasks, orphan.kept()));
    }
    return left;
  }

  public long discardedBytes() {
    return discarded.get();
  }

  /** Must be called about once a second: reaps adopted processes. */
  public void reapAdopted() {
    var leaders = new HashSet<Long>();
    for (var attempt : attempts.values()) {
      var child = attempt.running();
      if (child != null && !attempt.hasEnded()) {
        leaders.add(child.pid());
      }
    }
    try {
      orphansSeen = sweeper.reapAdopted(leaders);
    } catch (IOException _) {
      // /proc cannot be read at the moment; the next call comes soon.
    }
  }

  /** Accepts no more tasks and ends those that run. */
  public void cancelAll() {
    refusing = true;
    attempts.forEach((id, attempt) -> {
      if (!attempt.hasEnded()) {
        var _ = cancel(new HostRequest.Cancel(id, null, "the host is shut down"));
      }
    });
  }

  /** Ends the running tasks without any more grace. */
  public void killAll() {
    for (var attempt : attempts.values()) {
      var running = attempt.running();
      if (running != null && !attempt.hasEnded()) {
        running.loop().execute(running.child()::kill);
      }
    }
  }

  private static <T> CompletableFuture<Answer<T>> done(T value) {
    return CompletableFuture.completedFuture(new Answer.Done<>(value));
  }

  private static <T> CompletableFuture<Answer<T>> refused(String code, String message) {
    return CompletableFuture.completedFuture(new Answer.Refused<>(code, message, 0));
  }

  /** Stops the threads; running processes are left alone. */
  @Override
  public void close() {
    spawning.shutdownNow();
    slow.shutdownNow();
    looking.shutdownNow();
    syncer.close();
    meters.close();
    loops.forEach(IoLoop::close);
  }
}
