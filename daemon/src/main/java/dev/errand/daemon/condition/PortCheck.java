package dev.errand.daemon.condition;

import dev.errand.daemon.access.TaskProcesses;
import dev.errand.host.linux.ListeningSocket;
import dev.errand.host.linux.ProcFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Whether a process of the task itself listens on a port; others that do so do not count. */
final class PortCheck implements Check {
  /** The kernel tells nobody that a socket begins to listen, so it is asked this often. */
  private static final Duration POLL = Duration.ofMillis(150);

  /** Sockets that were somebody else's are looked at again only so often: it is much work. */
  private static final Duration STRANGERS_POLL = Duration.ofSeconds(1);

  private final int port;
  private final TaskProcesses processes;
  private List<ListeningSocket> strangers = List.of();
  private long strangersAtNanos;
  private long nextAtNanos = System.nanoTime();

  PortCheck(int port, TaskProcesses processes) {
    this.port = port;
    this.processes = processes;
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
    nextAtNanos = moment.nanos() + POLL.toNanos();
    var sockets = ListeningSocket.on(port, moment.process().identity().pid());
    if (sockets.isEmpty() || isKnownStrangers(sockets, moment)) {
      return new Verdict.NotYet(POLL);
    }
    var holder = holderOf(sockets, moment);
    if (holder.isPresent()) {
      var it = holder.get();
      return new Verdict.Holds(new Held.Port(moment.seq(), port, it.address(), it.pid()));
    }
    strangers = sockets;
    strangersAtNanos = moment.nanos();
    return new Verdict.NotYet(POLL);
  }

  private boolean isKnownStrangers(List<ListeningSocket> sockets, Moment moment) {
    return sockets.equals(strangers)
        && moment.nanos() - strangersAtNanos < STRANGERS_POLL.toNanos();
  }

  private record Holder(String address, long pid) {}

  private Optional<Holder> holderOf(List<ListeningSocket> sockets, Moment moment) {
    for (var pid : pids()) {
      if (processes.taskOf(pid).filter(moment.taskId()::equals).isPresent()) {
        var held = ListeningSocket.heldBy(pid, sockets);
        if (held.isPresent()) {
          return Optional.of(new Holder(held.get().address(), pid));
        }
      }
    }
    return Optional.empty();
  }

  private static List<Long> pids() {
    try {
      return ProcFs.pids();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
