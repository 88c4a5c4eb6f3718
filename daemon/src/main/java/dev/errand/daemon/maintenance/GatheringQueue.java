package dev.errand.daemon.maintenance;

import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue that hands over items in groups: the first item waits a while for others, but no longer
 * once there are enough. Many threads may offer, and offering never blocks.
 */
final class GatheringQueue<T> {
  private final Limits limits;
  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<T> waiting = new ArrayDeque<>();
  private boolean open;

  /**
   * The limits of a group.
   *
   * @param waitingMax the limit of queued items; more are refused
   * @param atOnce the size of a full group, which is taken at once
   * @param time how long the first item waits for others
   */
  record Limits(int waitingMax, int atOnce, Duration time) {}

  GatheringQueue(Limits limits, Time clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** Must be called when a consumer is running. */
  void open() {
    lock.lock();
    try {
      open = true;
    } finally {
      lock.unlock();
    }
  }

  /** False if it is full or closed. */
  boolean offer(T it) {
    lock.lock();
    try {
      if (!open || waiting.size() >= limits.waitingMax()) {
        return false;
      }
      waiting.addLast(it);
      // The consumer needs no wake-up in between: it waits for the time or for a full group.
      if (waiting.size() == 1 || waiting.size() == limits.atOnce()) {
        changed.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a group; empty if the queue is closed and empty. */
  List<T> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && open) {
        changed.await();
      }
      var left = limits.time().toNanos();
      while (waiting.size() < limits.atOnce() && open && left > 0) {
        left = clock.awaitNanos(lock, changed, left);
      }
      var taken = new ArrayList<T>();
      while (!waiting.isEmpty() && taken.size() < limits.atOnce()) {
        taken.add(waiting.removeFirst());
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Accepts nothing more; queued items can still be taken, without waiting. */
  void close() {
    lock.lock();
    try {
      open = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
