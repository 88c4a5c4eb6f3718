package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.config.Configuration;
import java.time.Duration;
import java.util.List;

/** The operations on the daemon itself. */
public interface Admin {

  /** Why the daemon is to stop, which decides what happens to its tasks. */
  enum Stop {
    /** It is not needed now: the settings decide. */
    FOR_NOW,

    /** Another daemon follows at once: the tasks go on. */
    FOR_RESTART,

    /** Everything is to stop: the tasks end, and the hosts too. */
    WITH_ALL
  }

  /**
   * The stop that has started.
   *
   * @param onStop what happens to tasks, as the word of the setting
   * @param waitMax how long the daemon waits for the tasks
   */
  record Stopping(String onStop, Duration waitMax) {}

  /** What a clean-up removed. */
  record Cleaned(long tasks, long artifacts, long logs, long builds, long bytesStored) {}

  /**
   * A process of tasks that outlives them.
   *
   * @param startTicks when it was started, in the kernel's ticks
   * @param kept whether it was kept when its task ended; otherwise it escaped
   * @param taskIds the tasks that it may belong to; several only if it escaped
   */
  record LeftProcess(
      long pid, long startTicks, boolean kept, String command, List<TaskId> taskIds) {
    public LeftProcess {
      taskIds = List.copyOf(taskIds);
    }
  }

  /**
   * The result of ending a process and those that it started.
   *
   * @param survivors the processes that were still alive after some seconds
   */
  record EndedProcess(long pid, List<Long> killed, List<Long> survivors) {
    public EndedProcess {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /** Starts to stop the daemon; returns at once. A second call ends the wait. */
  Stopping shutdown(Stop stop);

  /** Removes what has passed its retention. */
  Cleaned gc();

  /** The settings, and where each value comes from. */
  Configuration.Listing config();

  /** The processes of tasks that outlive them. */
  List<LeftProcess> processes();

  /** Ends one of those, with all that it started; returns when they are dead. */
  EndedProcess endProcess(long pid, String by) throws InterruptedException;

  /** Reads the settings again; the answer lists what applies now and what after a restart. */
  Configuration.Reloaded reload();
}
