package dev.errand.daemon.condition;

import dev.errand.core.time.Time;
import java.time.Duration;

/** Whether a process of the task itself listens on a port; others that do so do not count. */
final class PortCheck implements Check {
  /** The longer it was waited for, the later it is looked again: by this part of that time. */
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
  public Verdict look(Moment moment) {
    if (moment.process() == null) {
      return Verdict.UNTIL_FRAME;
    }
    var early = Duration.ofNanos(nextAtNanos - moment.nanos());
    if (early.isPositive()) {
      // A frame of output says nothing about sockets.
      return new Verdict.NotYet(early);
    }
    var again = again(moment.nanos() - beganNanos);
    nextAtNanos = moment.nanos() + again.toNanos();
    var pid = moment.process().identity().pid();
    var holder = ports.holder(new ListeningPorts.Wanted(moment.taskId(), pid, port));
    if (holder.isEmpty()) {
      return new Verdict.NotYet(again);
    }
    // Whoever looks whether it still holds decides how often.
    nextAtNanos = moment.nanos();
    var it = holder.get();
    return new Verdict.Holds(new Held.Port(moment.seq(), port, it.address(), it.pid()));
  }

  private static Duration again(long waitedNanos) {
    var nanos = Math.max(ListeningPorts.POLL.toNanos(), waitedNanos / AGAIN_PART);
    return Duration.ofNanos(Math.min(nanos, AGAIN_MAX.toNanos()));
  }
}
