package dev.errand.daemon.condition;

import dev.errand.core.time.Time;
import java.time.Duration;

/** Whether a process of the task itself listens on a port; others that do so do not count. */
final class PortCheck implements Check {
  /** The pause before the next check, as a part of the time waited so far. */
  private static final int AGAIN_PART = 20;

  private static final Duration AGAIN_MAX = Duration.ofSeconds(1);

  private final int port;
  private final ListeningPorts ports;
  private final long beganNanos;
  private long nextAtNanos;

  PortCheck(int port, ListeningPorts ports, Time clock) {
    this.port = port;
    this.ports = ports;
    this.beganNanos = clock.ticks();
    this.nextAtNanos = beganNanos;
  }

  @Override
  public CheckResult check(Observation seen) {
    if (seen.process() == null) {
      return CheckResult.UNTIL_FRAME;
    }
    var early = Duration.ofNanos(nextAtNanos - seen.nanos());
    if (early.isPositive()) {
      // A frame of output has no information about sockets.
      return new CheckResult.NotYet(early);
    }
    var again = again(seen.nanos() - beganNanos);
    nextAtNanos = seen.nanos() + again.toNanos();
    var pid = seen.process().identity().pid();
    var holder = ports.holder(new ListeningPorts.Wanted(seen.taskId(), pid, port));
    if (holder.isEmpty()) {
      return new CheckResult.NotYet(again);
    }
    // The caller decides how often a condition that is true is checked again.
    nextAtNanos = seen.nanos();
    var it = holder.get();
    return new CheckResult.Holds(new ConditionMet.Port(seen.seq(), port, it.address(), it.pid()));
  }

  private static Duration again(long waitedNanos) {
    var nanos = Math.max(ListeningPorts.POLL.toNanos(), waitedNanos / AGAIN_PART);
    return Duration.ofNanos(Math.min(nanos, AGAIN_MAX.toNanos()));
  }
}
