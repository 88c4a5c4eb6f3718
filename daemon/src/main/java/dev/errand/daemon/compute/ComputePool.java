package dev.errand.daemon.compute;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.time.Time;
import dev.errand.host.linux.OwnProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A few low-priority platform threads that run the jobs of all callers, a step at a time.
 *
 * <p>After each step comes another caller, and within one caller another job (round robin). Jobs of
 * the owner come first. A caller waits on its own thread; an interrupt withdraws its job.
 */
public final class ComputePool implements AutoCloseable {
  /** The time slice of a job. */
  public static final Duration STEP_TIME = Duration.ofMillis(20);

  /** How long close waits for running steps. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(1);

  /** How many jobs of one caller may wait or run; one more is refused. */
  public static final int JOBS_PER_CALLER_MAX = 64;

  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Map<CallerKey, CallerQueue> queues = new HashMap<>();

  /** The shares with waiting jobs; the next one is first. */
  private final Deque<CallerQueue> ofOwner = new ArrayDeque<>();

  private final Deque<CallerQueue> ofOthers = new ArrayDeque<>();
  private final Condition left = lock.newCondition();

  /** The number of live threads. */
  private int threads;

  private boolean closed;

  private record CallerKey(String principal, boolean owner) {}

  /** The jobs of one caller. */
  private final class CallerQueue {
    private final CallerKey key;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private final Condition room = lock.newCondition();
    private int jobs;
    private int waiters;

    private CallerQueue(CallerKey key) {
      this.key = key;
    }

    private Deque<CallerQueue> peers() {
      return key.owner() ? ofOwner : ofOthers;
    }
  }

  private enum Progress {
    WAITS,
    RUNS,
    ENDED
  }

  /** A job, from its submission until it is done or withdrawn. */
  private final class Entry {
    private final CallerQueue queue;
    private final Job job;
    private final Condition ended = lock.newCondition();
    private Progress progress = Progress.WAITS;
    private boolean takenBack;
    private @Nullable Throwable failure;

    private Entry(CallerQueue queue, Job job) {
      this.queue = queue;
      this.job = job;
    }
  }

  /** One processor is left for the rest; there is always at least one thread. */
  public static ComputePool start(Time clock) {
    return start(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), clock);
  }

  static ComputePool start(int threadCount, Time clock) {
    var pool = new ComputePool(threadCount, clock);
    for (var i = 0; i < threadCount; i++) {
      Thread.ofPlatform().daemon().name("compute-" + i).start(pool::serve);
    }
    return pool;
  }

  private ComputePool(int threads, Time clock) {
    this.threads = threads;
    this.clock = clock;
  }

  /** The share of this caller; the same name gives the same share. */
  public Share share(String principal, boolean owner) {
    return new CallerShare(new CallerKey(principal, owner), false);
  }

  /** The number of waiting and running jobs. */
  public int jobs() {
    lock.lock();
    try {
      return queues.values().stream().mapToInt(it -> it.jobs).sum();
    } finally {
      lock.unlock();
    }
  }

  private final class CallerShare implements Share {
    private final CallerKey key;
    private final boolean waitsForRoom;

    private CallerShare(CallerKey key, boolean waitsForRoom) {
      this.key = key;
      this.waitsForRoom = waitsForRoom;
    }

    @Override
    public void run(Job job) throws InterruptedException {
      var queue = enter(key, waitsForRoom);
      try {
        runIn(queue, job);
      } finally {
        leave(queue);
      }
    }

    @Override
    public void checkRoom() {
      lock.lock();
      try {
        var queue = queues.get(key);
        if (queue != null && queue.jobs >= JOBS_PER_CALLER_MAX) {
          throw tooMany();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Share admitted() {
      return new CallerShare(key, true);
    }
  }

  private static ErrandException tooMany() {
    return new ErrandException(
        ErrorCode.LIMIT_EXCEEDED,
        "you have "
            + JOBS_PER_CALLER_MAX
            + " searches, waits or screens in progress; try again when one of them has ended");
  }

  private CallerQueue enter(CallerKey key, boolean waitsForRoom) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var queue = queues.computeIfAbsent(key, CallerQueue::new);
      while (queue.jobs >= JOBS_PER_CALLER_MAX) {
        if (!waitsForRoom) {
          throw tooMany();
        }
        if (closed) {
          throw new InterruptedException("the daemon is stopping");
        }
        queue.waiters++;
        try {
          queue.room.await();
        } finally {
          queue.waiters--;
        }
      }
      queue.jobs++;
      return queue;
    } finally {
      lock.unlock();
    }
  }

  private void leave(CallerQueue queue) {
    lock.lock();
    try {
      queue.jobs--;
      queue.room.signal();
      if (queue.jobs == 0 && queue.waiters == 0) {
        queues.remove(queue.key);
      }
    } finally {
      lock.unlock();
    }
  }

  private void runIn(CallerQueue queue, Job job) throws InterruptedException {
    var entry = new Entry(queue, job);
    lock.lock();
    try {
      if (!closed) {
        await(entry);
        work.signal();
      }
      awaitEnd(entry);
    } finally {
      lock.unlock();
    }
    switch (entry.failure) {
      case null -> {}
      case RuntimeException it -> throw it;
      case Error it -> throw it;
      case Throwable it -> throw new IllegalStateException(it);
    }
  }

  /** Adds it after the caller's other jobs, and a new caller after the other callers. */
  private static void await(Entry entry) {
    var queue = entry.queue;
    entry.progress = Progress.WAITS;
    queue.waiting.addLast(entry);
    if (queue.waiting.size() == 1) {
      queue.peers().addLast(queue);
    }
  }

  /** A waiting job is withdrawn; a running step ends soon. */
  private void awaitEnd(Entry entry) throws InterruptedException {
    try {
      while (entry.progress != Progress.ENDED && !closed) {
        entry.ended.await();
      }
    } catch (InterruptedException e) {
      takeBack(entry);
      throw e;
    }
    if (entry.progress != Progress.ENDED) {
      takeBack(entry);
      throw new InterruptedException("the daemon is stopping");
    }
  }

  private static void takeBack(Entry entry) {
    var queue = entry.queue;
    entry.takenBack = true;
    while (entry.progress == Progress.RUNS) {
      entry.ended.awaitUninterruptibly();
    }
    if (queue.waiting.remove(entry) && queue.waiting.isEmpty()) {
      queue.peers().remove(queue);
    }
  }

  private void serve() {
    try {
      serveUntilClosed();
    } finally {
      leave();
    }
  }

  private void leave() {
    lock.lock();
    try {
      threads--;
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void serveUntilClosed() {
    OwnProcess.beSomewhatNice();
    for (var entry = next(); entry != null; entry = next()) {
      var done = false;
      Throwable failure = null;
      try {
        done = entry.job.goOn(clock.ticks() + STEP_TIME.toNanos());
      } catch (Throwable e) {
        failure = e;
      }
      end(entry, done, failure);
    }
  }

  /** Null when the pool is closed. */
  private @Nullable Entry next() {
    lock.lock();
    try {
      while (!closed) {
        var peers = ofOwner.isEmpty() ? ofOthers : ofOwner;
        var queue = peers.pollFirst();
        if (queue == null) {
          work.awaitUninterruptibly();
          continue;
        }
        var entry = queue.waiting.removeFirst();
        entry.progress = Progress.RUNS;
        if (!queue.waiting.isEmpty()) {
          peers.addLast(queue);
        }
        return entry;
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** The step has ended; the job continues at its next turn. */
  private void end(Entry entry, boolean done, @Nullable Throwable failure) {
    lock.lock();
    try {
      if (done || failure != null || entry.takenBack || closed) {
        entry.failure = failure;
        entry.progress = done || failure != null ? Progress.ENDED : Progress.WAITS;
        entry.ended.signalAll();
      } else {
        await(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Running steps are finished; waiting callers are interrupted. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
      queues
          .values()
          .forEach(queue -> {
            queue.room.signalAll();
            queue.waiting.forEach(it -> it.ended.signalAll());
          });
      var rest = CLOSE_MAX.toNanos();
      while (threads > 0 && rest > 0) {
        rest = clock.awaitNanos(lock, left, rest);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
