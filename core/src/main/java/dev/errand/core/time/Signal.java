package dev.errand.core.time;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Raised by one thread to let another go on, now or when that comes to wait. It stays raised until
 * one who waits takes it; raised twice before, it lets go on once.
 */
public final class Signal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean raised;

  public void raise() {
    lock.lock();
    try {
      raised = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean await(Time time, Duration limit) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var left = limit.toNanos();
      while (!raised && left > 0) {
        left = time.awaitNanos(lock, changed, left);
      }
      var taken = raised;
      raised = false;
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
