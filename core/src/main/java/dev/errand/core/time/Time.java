package dev.errand.core.time;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A clock to read and to wait by. Its wall time is what people and records are told, and may jump;
 * its ticks only go forward, and every delay and limit is counted in them.
 */
public interface Time extends InstantSource {

  /** Nanoseconds since some moment of its own; only differences mean anything. */
  long ticks();

  /**
   * Does this once when so much time has passed. Actions should be short: others may be due too.
   */
  Timer after(Duration delay, Runnable action);

  /**
   * Waits as {@link Condition#awaitNanos} does, with the lock of the condition held: until it is
   * signalled, for no reason at all, or until so much time has passed. To be called in a loop.
   *
   * @return how much of the time is left; 0 or less where it has passed
   */
  long awaitNanos(Lock lock, Condition news, long nanos) throws InterruptedException;

  /** Waits until the signal is raised, and lowers it; false where the time has passed before. */
  default boolean await(Signal signal, Duration limit) throws InterruptedException {
    return signal.await(this, limit);
  }

  /**
   * Does this whenever the time was moved by hand, until it is cancelled. It is for waits that this
   * clock cannot end, such as a call of the kernel with a time-out: they look at the clock again.
   * Time that passes by itself is not told.
   */
  default Timer whenMoved(Runnable look) {
    return () -> {};
  }

  /** Returns when so much time has passed. */
  default void sleep(Duration pause) throws InterruptedException {
    var _ = await(new Signal(), pause);
  }

  /** What is still to be done, once or again and again. */
  interface Timer {
    /** Nothing is done any more, unless it has begun. */
    void cancel();
  }
}
