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
 * Looks at one task for as long as it runs, on a thread of its own that mostly waits. What takes
 * the processor is handed to a few threads for all tasks, a little at a time.
 */
final class TaskWatch implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(TaskWatch.class);

  /** While output comes faster it is looked at together. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  /** A line without an end is looked at when nothing has come for so long: it may be a prompt. */
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

  /** The task is about to end with logs of this length; to be done when all is looked at. */
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

  /** Something was committed, or stored. */
  void signal() {
    lock.lock();
    try {
      signalled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has all output up to these totals looked at, within the time; then it looks no further. */
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
        // Nobody waits for an answer here, so it goes behind what the owner asks for.
        var share = sources.compute().share(live.known().spec().origin().by(), false).admitted();
        watch(Lookout.of(taskId, live, sources, share), share);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.error("task {} is not watched any more", taskId, e);
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

  private void watch(Lookout lookout, Share share) throws InterruptedException {
    while (true) {
      var last = awaitedEnding();
      var snapshot = engine.snapshot(taskId);
      if (!(snapshot.state() instanceof TaskState.Live)) {
        return;
      }
      if (last != null) {
        finish(lookout, last, share);
        return;
      }
      await(look(lookout, snapshot, share));
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

  /** Looks at what is new, records it, and says when to look again if nothing happens before. */
  private Duration look(Lookout lookout, Snapshot snapshot, Share share)
      throws InterruptedException {
    var totals = snapshot.logEnds();
    var whole = !lookout.isBehind(totals) || scanStep(lookout, totals, share);
    // Patterns may have taken long, and more of the line may have come meanwhile.
    noteGrowth();
    var quiet = QUIET.minusNanos(clock.ticks() - grownNanos);
    if (whole && !quiet.isPositive() && lookout.hasUnseen()) {
      lookAtRest(lookout, share);
    }
    lookout.lookAround(snapshot);
    record(lookout.sightings(false), lookout.readiness());
    if (!whole) {
      return Duration.ZERO;
    }
    var again = lookout.again();
    return lookout.hasUnseen() && quiet.isPositive() && quiet.compareTo(again) < 0 ? quiet : again;
  }

  private void finish(Lookout lookout, Ending last, Share share) throws InterruptedException {
    var whole = false;
    while (!whole && clock.ticks() < last.deadlineNanos()) {
      whole = scanStep(lookout, last.totals(), share);
    }
    if (whole) {
      lookAtRest(lookout, share);
    } else {
      lookout.giveUp(last.totals(), "too_slow");
    }
    record(lookout.sightings(true), lookout.readiness());
  }

  /**
   * Scans one step, so that what it found is told before the next; true where that was the last.
   */
  private static boolean scanStep(Lookout lookout, Map<LogStream, Long> totals, Share share)
      throws InterruptedException {
    var whole = new AtomicBoolean();
    share.run(until -> {
      whole.set(lookout.scan(totals, until));
      return true;
    });
    return whole.get();
  }

  private static void lookAtRest(Lookout lookout, Share share) throws InterruptedException {
    share.run(_ -> {
      lookout.lookAtRest();
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
      var rest = BETWEEN_LOOKS.toNanos() - (clock.ticks() - began);
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
