package dev.errand.host.process;

import dev.errand.core.time.Time;
import dev.errand.host.linux.ProcFs;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Measures from time to time the peak memory of each task's processes.
 *
 * <p>The kernel's account at the end is of no use below the host's own size: it includes the memory
 * of the process that called posix_spawn, the host. A living process reports its own peak. A busy
 * one is measured about once a second, an idle one rarely; growth that is gone between two
 * measurements is not seen.
 */
final class PeakMeter implements AutoCloseable {
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long BUSY_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_NANOS_MAX = TimeUnit.MINUTES.toNanos(2);

  /** Of a larger tree only this many processes are measured. */
  private static final int PROCESSES_MAX = 256;

  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition added = lock.newCondition();

  /** Ordered by the time of the next measurement. */
  private final PriorityQueue<Meter> waiting =
      new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos - b.dueNanos));

  private final Thread thread;

  private PeakMeter(Time clock) {
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("host-meter").unstarted(this::run);
  }

  static PeakMeter start(Time clock) {
    var meter = new PeakMeter(clock);
    meter.thread.start();
    return meter;
  }

  /** Starts to measure a process and its descendants. */
  Meter watch(long pid) {
    var meter = new Meter(pid, clock);
    add(meter);
    return meter;
  }

  private void add(Meter meter) {
    lock.lock();
    try {
      waiting.add(meter);
      if (waiting.peek() == meter) {
        added.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (true) {
        var meter = next();
        if (!meter.stopped) {
          look(meter);
          add(meter);
        }
      }
    } catch (InterruptedException _) {
      // The host closes.
    }
  }

  /** Waits until a measurement is due, and takes its meter out. */
  private Meter next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        var first = waiting.peek();
        if (first == null) {
          added.await();
          continue;
        }
        var left = first.dueNanos - clock.ticks();
        if (left <= 0) {
          return waiting.remove();
        }
        var _ = clock.awaitNanos(lock, added, left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A process that ends during its measurement must not end the thread. */
  private static void look(Meter meter) {
    try {
      meter.look();
    } catch (RuntimeException e) {
      meter.stopped = true;
      System.err.println("host: memory of process " + meter.pid + " cannot be measured: " + e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  /** The peak of one task so far. */
  static final class Meter {
    private final long pid;
    private final Time clock;
    private volatile long peakBytes;
    private volatile boolean stopped;
    private long busyTicks = -1;
    private long pauseNanos = FIRST_NANOS;
    private long dueNanos;

    private Meter(long pid, Time clock) {
      this.pid = pid;
      this.clock = clock;
      this.dueNanos = clock.ticks() + FIRST_NANOS;
    }

    private void look() {
      var ticks = 0L;
      var peak = peakBytes;
      for (var process : ProcFs.tree(pid, PROCESSES_MAX)) {
        ticks += ProcFs.busyTicks(process);
        peak = Math.max(peak, ProcFs.peakResidentBytes(process));
      }
      peakBytes = peak;
      var longest = ticks == busyTicks ? IDLE_NANOS_MAX : BUSY_NANOS_MAX;
      busyTicks = ticks;
      pauseNanos = Math.min(longest, pauseNanos * 2);
      dueNanos = clock.ticks() + pauseNanos;
    }

    /**
     * The largest value that was seen for one process; 0 if it ended before the first measurement.
     */
    long stop() {
      stopped = true;
      return peakBytes;
    }
  }
}
