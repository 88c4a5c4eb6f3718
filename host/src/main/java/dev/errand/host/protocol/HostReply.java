package dev.errand.host.protocol;

import dev.errand.core.task.TaskId;
import java.util.List;

/** What the host answers when it did what was asked. */
public sealed interface HostReply {

  /** Who the host is. */
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

  /** The attempt has its record: started, or not. */
  record Spawned(boolean started) implements HostReply {}

  /** TERM was sent, or the attempt was over already. */
  record Cancelling(boolean ended) implements HostReply {}

  /** The signal was sent; n is the number of its record. */
  record Signalled(long n) implements HostReply {}

  /** The kernel took the bytes; n is the number of the record. */
  record StdinWritten(long n, long bytesWritten) implements HostReply {}

  /** The terminal has the size; n is the number of the record. */
  record Resized(long n) implements HostReply {}

  /** Who was found of a dead host's task. */
  record Swept(List<Long> killed, List<Long> survivors) implements HostReply {
    public Swept {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /**
   * How the host is.
   *
   * @param escaped adopted processes that no task explains
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
   * A process that no task explains.
   *
   * @param startTicks when it started, in the kernel's ticks since the boot
   * @param name of its program, whatever bytes it chose
   */
  record Escaped(long pid, long startTicks, String name) {}

  /**
   * A process that lives on beside the tasks, as the host tells it unasked whenever that changes.
   *
   * @param tasks of which task it is; where it is escaped, of which it may be
   * @param kept whether it was allowed to outlive its task; otherwise it is escaped
   */
  record Left(long pid, long startTicks, String name, List<TaskId> tasks, boolean kept) {
    public Left {
      tasks = List.copyOf(tasks);
    }
  }

  /** Done, and nothing more to say. */
  record Ok() implements HostReply {}
}
