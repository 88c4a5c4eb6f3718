package dev.errand.daemon.feed;

import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A counter that threads can wait on. */
public final class Ticker {
  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ticked = lock.newCondition();
  private long count;

  public Ticker(Time clock) {
    this.clock = clock;
  }

  public long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  public void tick() {
    lock.lock();
    try {
      count++;
      ticked.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean awaitSince(long seen, Duration timeout) throws InterruptedException {
    var nanos = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      while (count == seen) {
        if (nanos <= 0) {
          return false;
        }
        nanos = clock.awaitNanos(lock, ticked, nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
