package dev.errand.daemon.feed;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts commits, for those who follow everything. */
final class Ticker {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ticked = lock.newCondition();
  private long count;

  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  void tick() {
    lock.lock();
    try {
      count++;
      ticked.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean awaitSince(long seen, Duration timeout) throws InterruptedException {
    var nanos = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      while (count == seen) {
        if (nanos <= 0) {
          return false;
        }
        nanos = ticked.awaitNanos(nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
