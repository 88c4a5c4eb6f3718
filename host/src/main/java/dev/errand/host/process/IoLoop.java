package dev.errand.host.process;

import dev.errand.core.time.Time;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.Poller;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One thread around epoll: it reads and writes the descriptors of its children, runs their timers
 * and the tasks that other threads submit. It never spawns, syncs or searches /proc.
 *
 * <p>Its timers use the given clock. The kernel waits in real time, and the loop checks its timers
 * again when a test moved the clock.
 */
final class IoLoop implements AutoCloseable {
  static final int BUFFER_BYTES = 256 << 10;
  private static final long NANOS_PER_MS = 1_000_000;

  private final Poller poller;
  private final Time clock;
  private final Thread thread;
  private final Map<Integer, Runnable> watched = new HashMap<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final Timers timers = new Timers();
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final MemorySegment memory = MemorySegment.ofBuffer(bytes);
  private final Time.Timer moves;
  private long restNanos;
  private volatile boolean closed;

  private IoLoop(Poller poller, int number, Time clock) {
    this.poller = poller;
    this.clock = clock;
    this.moves = clock.whenMoved(poller::wake);
    this.thread = Thread.ofPlatform().daemon().name("host-io-" + number).unstarted(this::run);
  }

  static IoLoop start(int number, Time clock) throws KernelException {
    var loop = new IoLoop(Poller.open(), number, clock);
    loop.thread.start();
    return loop;
  }

  /** Runs it on the loop's thread, soon; may be called by any thread. */
  void execute(Runnable task) {
    tasks.add(task);
    if (!closed && woken.compareAndSet(false, true)) {
      poller.wake();
    }
  }

  /** The buffer that all reads of this loop share, in native memory. */
  MemorySegment memory() {
    return memory;
  }

  /** The first bytes of the same buffer, for file channels. */
  ByteBuffer bytes(int count) {
    return bytes.clear().limit(count);
  }

  void watch(int fd, int interest, Runnable whenReady) {
    try {
      poller.add(fd, interest);
      watched.put(fd, whenReady);
    } catch (KernelException e) {
      throw new IllegalStateException("descriptor " + fd + " cannot be watched", e);
    }
  }

  boolean isWatched(int fd) {
    return watched.containsKey(fd);
  }

  void unwatch(int fd) {
    if (watched.remove(fd) != null) {
      poller.remove(fd);
    }
  }

  /** The ticks of its clock, which its timers use. */
  long now() {
    return clock.ticks();
  }

  Timers.Timer after(Duration delay, Runnable action) {
    return timers.at(now() + delay.toNanos(), action);
  }

  Timers.Timer at(long dueNanos, Runnable action) {
    return timers.at(dueNanos, action);
  }

  void cancel(Timers.Timer timer) {
    timers.cancel(timer);
  }

  /**
   * Makes the loop pause once before it polls again, so that more data arrives. On the loop's
   * thread only; everything else that the loop serves waits too, so the pause must be short.
   */
  void rest(long nanos) {
    restNanos = nanos;
  }

  private void run() {
    while (!closed) {
      if (restNanos > 0) {
        Poller.rest(restNanos);
        restNanos = 0;
      }
      guarded(() -> poller.await(timeoutMs(), this::ready));
      woken.set(false);
      for (var task = tasks.poll(); task != null; task = tasks.poll()) {
        guarded(task);
      }
      guarded(() -> timers.runDue(now()));
    }
  }

  private int timeoutMs() {
    var delay = timers.delay(now());
    if (delay.isEmpty()) {
      return -1;
    }
    return (int) Math.min(60_000, (delay.getAsLong() + NANOS_PER_MS - 1) / NANOS_PER_MS);
  }

  /** A descriptor that an earlier event of the same round closed is no longer watched. */
  private void ready(int fd) {
    var whenReady = watched.get(fd);
    if (whenReady != null) {
      guarded(whenReady);
    }
  }

  /** A bug in one task must not end the thread that serves a thousand others. */
  private static void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      System.err.println("host: a bug in an I/O step");
      e.printStackTrace();
    }
  }

  @Override
  public void close() {
    closed = true;
    moves.cancel();
    poller.wake();
    try {
      thread.join();
    } catch (InterruptedException _) {
      // Closing the set ends the thread too.
      Thread.currentThread().interrupt();
    }
    poller.close();
  }
}
