package dev.errand.host.protocol;

import dev.errand.core.task.TaskId;
import java.util.List;

/** What the host answers after a successful request. */
public sealed interface HostReply {

  /** The identity of the host. */
  record Welcome(
      int protocol,
      String hostId,
      String build,
      String bootId,
      long pid,
      List<String> features,
      long running)
      implements HostReply {
    public Welcome {
      features = List.copyOf(features);
    }
  }

  /** The record of the attempt exists: started, or not. */
  record Spawned(boolean started) implements HostReply {}

  /** TERM was sent, or the attempt was over already. */
  record Cancelling(boolean ended) implements HostReply {}

  /** The signal was sent; n is the number of its record. */
  record Signalled(long n) implements HostReply {}

  /** The kernel took the bytes; n is the number of the record. */
  record StdinWritten(long n, long bytesWritten) implements HostReply {}

  /** The terminal has the size; n is the number of the record. */
  record Resized(long n) implements HostReply {}

  /** The processes that were found of a dead host's task. */
  record Swept(List<Long> killed, List<Long> survivors) implements HostReply {
    public Swept {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /**
   * The condition of the host.
   *
   * @param escaped adopted processes that belong to no known task
   * @param discardedBytes output of leftover processes after the end of their task
   * @param escapedShown the first of those that escaped; none from an older host
   */
  record Statistics(
      long running,
      long attempts,
      long escaped,
      long fds,
      long fdsMax,
      long discardedBytes,
      long segment,
      List<Escaped> escapedShown)
      implements HostReply {
    public Statistics {
      escapedShown = List.copyOf(escapedShown);
    }
  }

  /**
   * A process that belongs to no known task.
   *
   * @param startTicks when it started, in the kernel's ticks since the boot
   * @param name of its program, whatever bytes it chose
   */
  record Escaped(long pid, long startTicks, String name) {}

  /**
   * A process that lives on outside the tasks, as the host reports it unasked whenever that
   * changes.
   *
   * @param tasks the task that it belongs to; if it is escaped, the tasks that it may belong to
   * @param kept whether it was allowed to outlive its task; otherwise it is escaped
   */
  record Left(long pid, long startTicks, String name, List<TaskId> tasks, boolean kept) {
    public Left {
      tasks = List.copyOf(tasks);
    }
  }

  /** Done, without a result. */
  record Ok() implements HostReply {}
}
