package dev.errand.wire.time;

import dev.errand.core.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The time of this machine. Ticks go on evenly whatever is done to the clock on the wall. */
public final class SystemTime implements Time {

  @Override
  public Instant instant() {
    return Instant.now();
  }

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public long ticks() {
    return System.nanoTime();
  }

  @Override
  public Timer after(Duration delay, Runnable action) {
    var begun = new AtomicBoolean();
    var thread =
        Thread.ofVirtual()
            .name("timer")
            .start(() -> {
              try {
                Thread.sleep(delay);
              } catch (InterruptedException _) {
                return; // Nobody but cancel() knows this thread.
              }
              if (begun.compareAndSet(false, true)) {
                action.run();
              }
            });
    return () -> {
      if (begun.compareAndSet(false, true)) {
        thread.interrupt();
      }
    };
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public long awaitNanos(Lock lock, Condition news, long nanos) throws InterruptedException {
    return news.awaitNanos(nanos);
  }

  @Override
  public void sleep(Duration pause) throws InterruptedException {
    Thread.sleep(pause);
  }
}
