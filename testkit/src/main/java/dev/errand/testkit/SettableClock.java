package dev.errand.testkit;

import dev.errand.core.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test moves it. Who waits by it waits for the test as well, and
 * its timers run on the thread of the test, within {@link #advance}.
 *
 * <p>What a thread does takes no time by this clock: it waits from the moment at which it last
 * looked. So it does not matter whether the clock is moved before the thread waits or after.
 */
public final class SettableClock implements Time {
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Due> waiting = new ArrayList<>();
  private final List<Runnable> told = new CopyOnWriteArrayList<>();

  /** The ticks when each thread last looked. */
  private final Map<Thread, Long> lookedAt = new WeakHashMap<>();

  private Instant now;
  private long ticks;

  /** What is to be done when the ticks have come so far. */
  private record Due(long ticks, Runnable action) {}

  public SettableClock(Instant now) {
    this.now = now;
  }

  @Override
  public Instant instant() {
    lock.lock();
    try {
      lookedAt.put(Thread.currentThread(), ticks);
      return now;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long ticks() {
    lock.lock();
    try {
      lookedAt.put(Thread.currentThread(), ticks);
      return ticks;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the clock on the wall, as somebody may at any time; no time passes by that. */
  public void set(Instant instant) {
    lock.lock();
    try {
      now = instant;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets so much time pass: what is due meanwhile is done or woken in its order, each at its time.
   */
  public void advance(Duration duration) {
    var end = ticks() + duration.toNanos();
    for (var due = next(end); due != null; due = next(end)) {
      told.forEach(Runnable::run);
      due.action().run();
    }
    told.forEach(Runnable::run);
    var _ = ticks();
  }

  /** The next that is due by then, at whose time it is now; null where it is the end. */
  private @Nullable Due next(long end) {
    lock.lock();
    try {
      var due =
          waiting.stream()
              .filter(it -> it.ticks() <= end)
              .min(Comparator.comparingLong(Due::ticks))
              .orElse(null);
      var passed = Math.max(0, (due == null ? end : due.ticks()) - ticks);
      now = now.plusNanos(passed);
      ticks += passed;
      waiting.remove(due);
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** How many timers and threads wait for this clock to move. */
  public int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Timer after(Duration delay, Runnable action) {
    var due = new Due(ticks() + Math.max(1, delay.toNanos()), action);
    var _ = tryAdd(due);
    return () -> remove(due);
  }

  @Override
  public Timer whenMoved(Runnable look) {
    told.add(look);
    return () -> told.remove(look);
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public long awaitNanos(Lock held, Condition news, long nanos) throws InterruptedException {
    var since = lookedAt();
    var until = since + Math.min(nanos, Long.MAX_VALUE - since);
    var due = new Due(until, () -> wake(held, news));
    // Who wakes it needs the lock, which is held until it waits.
    if (tryAdd(due)) {
      try {
        news.await();
      } finally {
        remove(due);
      }
    }
    return due.ticks() - ticks();
  }

  private long lookedAt() {
    lock.lock();
    try {
      return lookedAt.getOrDefault(Thread.currentThread(), ticks);
    } finally {
      lock.unlock();
    }
  }

  private static void wake(Lock lock, Condition news) {
    lock.lock();
    try {
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Adds it; false where its time has passed. */
  private boolean tryAdd(Due due) {
    lock.lock();
    try {
      return due.ticks() > ticks && waiting.add(due);
    } finally {
      lock.unlock();
    }
  }

  private void remove(Due due) {
    lock.lock();
    try {
      waiting.remove(due);
    } finally {
      lock.unlock();
    }
  }
}
