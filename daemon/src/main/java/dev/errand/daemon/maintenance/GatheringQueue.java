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
 * Hands many things at once to one who takes them: the first waits a while for others, and for no
 * longer once there are enough. Many threads may offer, and none of them ever waits.
 */
final class GatheringQueue<T> {
  private final Limits limits;
  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<T> waiting = new ArrayDeque<>();
  private boolean open;

  /**
   * How much is gathered.
   *
   * @param waitingMax what may wait; beyond it nothing is accepted
   * @param atOnce so many are taken without waiting for more, and never more of them
   * @param time for how long others are waited for
   */
  record Limits(int waitingMax, int atOnce, Duration time) {}

  GatheringQueue(Limits limits, Time clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** To be called when there is somebody who takes. */
  void open() {
    lock.lock();
    try {
      open = true;
    } finally {
      lock.unlock();
    }
  }

  /** False where it is full, or nobody takes any more. */
  boolean offer(T it) {
    lock.lock();
    try {
      if (!open || waiting.size() >= limits.waitingMax()) {
        return false;
      }
      waiting.addLast(it);
      // Whoever takes needs no call in between: it waits for time, or for enough.
      if (waiting.size() == 1 || waiting.size() == limits.atOnce()) {
        changed.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there are some; none where it is closed and empty. */
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

  /** Accepts nothing more; what waits can still be taken, at once. */
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
