package dev.errand.host.process;

import java.util.Comparator;
import java.util.OptionalLong;
import java.util.TreeSet;

/** Delayed actions, by ticks of a clock. Belongs to one thread. */
final class Timers {
  private static final Comparator<Timer> BY_TIME =
      Comparator.<Timer>comparingLong(it -> it.dueNanos).thenComparingLong(it -> it.number);

  private final TreeSet<Timer> waiting = new TreeSet<>(BY_TIME);
  private long numbers;

  /** One action; used to cancel it. */
  static final class Timer {
    private final long dueNanos;
    private final long number;
    private final Runnable action;

    private Timer(long dueNanos, long number, Runnable action) {
      this.dueNanos = dueNanos;
      this.number = number;
      this.action = action;
    }

    long dueNanos() {
      return dueNanos;
    }
  }

  Timer at(long dueNanos, Runnable action) {
    var timer = new Timer(dueNanos, numbers++, action);
    waiting.add(timer);
    return timer;
  }

  void cancel(Timer timer) {
    waiting.remove(timer);
  }

  /** The time until the next action; empty if there is none. */
  OptionalLong delay(long nowNanos) {
    return waiting.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, waiting.first().dueNanos - nowNanos));
  }

  void runDue(long nowNanos) {
    while (!waiting.isEmpty() && waiting.first().dueNanos <= nowNanos) {
      waiting.removeFirst().action.run();
    }
  }
}
