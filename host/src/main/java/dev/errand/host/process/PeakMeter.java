package dev.errand.host.process;

import dev.errand.host.linux.ProcFs;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * Looks now and then how much memory the processes of each task have held at most.
 *
 * <p>The kernel's own account at the end is of no use below our own size: it takes the memory of
 * the process that called posix_spawn, ours, for a part of the child's. While a process lives it
 * tells its peak itself. One that works is looked at about once a second, one that rests hardly
 * ever; what grows and is gone between two looks is not seen.
 */
final class PeakMeter implements AutoCloseable {
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long BUSY_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_NANOS_MAX = TimeUnit.MINUTES.toNanos(2);

  /** Of a larger tree only so many are asked. */
  private static final int PROCESSES_MAX = 256;

  private final DelayQueue<Meter> due = new DelayQueue<>();
  private final Thread thread;

  private PeakMeter() {
    this.thread = Thread.ofPlatform().daemon().name("host-meter").unstarted(this::run);
  }

  static PeakMeter start() {
    var meter = new PeakMeter();
    meter.thread.start();
    return meter;
  }

  /** Begins to look at a process and those below it. */
  Meter watch(long pid) {
    var meter = new Meter(pid);
    due.add(meter);
    return meter;
  }

  private void run() {
    try {
      while (true) {
        var meter = due.take();
        if (!meter.stopped) {
          look(meter);
          due.add(meter);
        }
      }
    } catch (InterruptedException _) {
      // The host closes.
    }
  }

  /** A process that ends under the look must not end the looking. */
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
  static final class Meter implements Delayed {
    private final long pid;
    private volatile long peakBytes;
    private volatile boolean stopped;
    private long busyTicks = -1;
    private long pauseNanos = FIRST_NANOS;
    private long dueNanos = System.nanoTime() + FIRST_NANOS;

    private Meter(long pid) {
      this.pid = pid;
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
      dueNanos = System.nanoTime() + pauseNanos;
    }

    /** The most that was seen of one process; 0 where it was gone before the first look. */
    long stop() {
      stopped = true;
      return peakBytes;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
