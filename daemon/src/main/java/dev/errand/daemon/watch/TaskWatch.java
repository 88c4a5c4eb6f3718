package dev.errand.daemon.watch;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the watchers of one task for as long as it runs, on a thread of its own that mostly waits.
 * Work that needs the processor is given, in small steps, to a few threads for all tasks.
 */
final class TaskWatch implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(TaskWatch.class);

  /** Output that comes faster is scanned together. */
  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(20);

  /** A line without an end is scanned after this time without output: it may be a prompt. */
  private static final Duration QUIET = Duration.ofMillis(100);

  private static final Duration UNTIL_FRAME = Duration.ofDays(1);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

  private final TaskId taskId;
  private final Engine engine;
  private final Watchers.Sources sources;
  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean signalled;
  private boolean over;
  private @Nullable Ending ending;
  private volatile @Nullable Thread thread;

  private long seenBytes = -1;
  private long grownNanos;

  /** The task is about to end with logs of this length; completed when all of it is scanned. */
  private record Ending(
      Map<LogStream, Long> totals, long deadlineNanos, CompletableFuture<Void> done) {}

  TaskWatch(TaskId taskId, Engine engine, Watchers.Sources sources) {
    this.taskId = taskId;
    this.engine = engine;
    this.sources = sources;
    this.clock = sources.clock();
  }

  TaskWatch start() {
    thread = Thread.ofVirtual().name("watch").start(this);
    return this;
  }

  /** A frame was committed, or output was stored. */
  void signal() {
    lock.lock();
    try {
      signalled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has all output up to these totals scanned, within the time; then the watch ends. */
  CompletableFuture<Void> finish(Map<LogStream, Long> totals, Duration atMost) {
    lock.lock();
    try {
      var done = new CompletableFuture<Void>();
      if (over) {
        done.complete(null);
      } else if (ending != null) {
        return ending.done();
      } else {
        ending = new Ending(totals, clock.ticks() + atMost.toNanos(), done);
        signalled = true;
        changed.signalAll();
      }
      return done;
    } finally {
      lock.unlock();
    }
  }

  void stop() {
    var running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  @Override
  public void run() {
    try {
      if (engine.snapshot(taskId).state() instanceof TaskState.Live live) {
        // No caller waits for this, so requests of the owner go first.
        var share = sources.compute().share(live.facts().spec().origin().by(), false).admitted();
        watch(WatcherSet.of(taskId, live, sources, share), share);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.error("the watchers of task {} stopped after a failure", taskId, e);
    } finally {
      end();
    }
  }

  private void end() {
    lock.lock();
    try {
      over = true;
      if (ending != null) {
        ending.done().complete(null);
      }
    } finally {
      lock.unlock();
    }
  }

  private void watch(WatcherSet watchers, Share share) throws InterruptedException {
    while (true) {
      var last = awaitedEnding();
      var snapshot = engine.snapshot(taskId);
      if (!(snapshot.state() instanceof TaskState.Live)) {
        return;
      }
      if (last != null) {
        finish(watchers, last, share);
        return;
      }
      await(check(watchers, snapshot, share));
    }
  }

  private @Nullable Ending awaitedEnding() {
    lock.lock();
    try {
      signalled = false;
      return ending;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks what is new and records hits; returns the time until the next check, if nothing happens
   * before.
   */
  private Duration check(WatcherSet watchers, Snapshot snapshot, Share share)
      throws InterruptedException {
    var totals = snapshot.logEnds();
    var whole = !watchers.hasUnread(totals) || scanStep(watchers, totals, share);
    // The scan may have taken long, and more of the line may have been written since.
    noteGrowth();
    var quiet = QUIET.minusNanos(clock.ticks() - grownNanos);
    if (whole && !quiet.isPositive() && watchers.hasOpenLine()) {
      scanRest(watchers, share);
    }
    watchers.checkConditions(snapshot);
    record(watchers.sightings(false), watchers.readiness());
    if (!whole) {
      return Duration.ZERO;
    }
    var again = watchers.again();
    return watchers.hasOpenLine() && quiet.isPositive() && quiet.compareTo(again) < 0
        ? quiet
        : again;
  }

  private void finish(WatcherSet watchers, Ending last, Share share) throws InterruptedException {
    var whole = false;
    while (!whole && clock.ticks() < last.deadlineNanos()) {
      whole = scanStep(watchers, last.totals(), share);
    }
    if (whole) {
      scanRest(watchers, share);
    } else {
      watchers.giveUp(last.totals(), "too_slow");
    }
    record(watchers.sightings(true), watchers.readiness());
  }

  /** Scans one step, so that its hits are recorded before the next; true if it was the last. */
  private static boolean scanStep(WatcherSet watchers, Map<LogStream, Long> totals, Share share)
      throws InterruptedException {
    var whole = new AtomicBoolean();
    share.run(until -> {
      whole.set(watchers.scan(totals, until));
      return true;
    });
    return whole.get();
  }

  private static void scanRest(WatcherSet watchers, Share share) throws InterruptedException {
    share.run(_ -> {
      watchers.scanRest();
      return true;
    });
  }

  private void record(List<TaskCommand.Watched.Sighting> sightings, @Nullable String ready)
      throws InterruptedException {
    var commands = new ArrayList<Engine.Submission>();
    if (!sightings.isEmpty()) {
      commands.add(new Engine.Submission(taskId, new TaskCommand.Watched(sightings)));
    }
    if (ready != null) {
      var mark = new TaskCommand.MarkReady(ready, clock.millis());
      commands.add(new Engine.Submission(taskId, mark));
    }
    while (!commands.isEmpty()) {
      try {
        engine.submitAll(commands);
        return;
      } catch (ErrandException e) {
        if (e.code() != ErrorCode.INSUFFICIENT_STORAGE) {
          throw e;
        }
        clock.sleep(RETRY_PAUSE);
      }
    }
  }

  private void await(Duration atMost) throws InterruptedException {
    var began = clock.ticks();
    lock.lockInterruptibly();
    try {
      var left = atMost.compareTo(UNTIL_FRAME) > 0 ? UNTIL_FRAME.toNanos() : atMost.toNanos();
      while (!signalled && ending == null && left > 0) {
        left = clock.awaitNanos(lock, changed, left);
      }
      var rest = BETWEEN_CHECKS.toNanos() - (clock.ticks() - began);
      while (atMost.isPositive() && signalled && ending == null && rest > 0) {
        rest = clock.awaitNanos(lock, changed, rest);
      }
    } finally {
      lock.unlock();
    }
  }

  private void noteGrowth() {
    var now = engine.snapshot(taskId);
    if (now.state() instanceof TaskState.Live) {
      var bytes = now.logEnds().values().stream().mapToLong(Long::longValue).sum();
      if (bytes != seenBytes) {
        seenBytes = bytes;
        grownNanos = clock.ticks();
      }
    }
  }
}
