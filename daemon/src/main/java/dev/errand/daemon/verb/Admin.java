package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.config.Configuration;
import java.time.Duration;
import java.util.List;

/** What may be asked of the daemon itself. */
public interface Admin {

  /** Why the daemon is to stop, which decides what becomes of its tasks. */
  enum Stop {
    /** It is not needed now: what is set for that. */
    FOR_NOW,

    /** Another one follows at once: they go on. */
    FOR_RESTART,

    /** Nothing is to be left: they end, and the hosts too. */
    WITH_ALL
  }

  /**
   * What was begun.
   *
   * @param onStop what becomes of tasks, in the word of the setting
   * @param waitMax how long the daemon waits for that
   */
  record Stopping(String onStop, Duration waitMax) {}

  /** What a round of cleaning removed. */
  record Cleaned(long tasks, long artifacts, long logs, long builds, long bytesStored) {}

  /**
   * A process of tasks that lives on after them.
   *
   * @param startTicks when it was started, as the kernel tells it
   * @param kept whether it was kept when its task ended, or else escaped
   * @param taskIds of which it may be; more than one only where it escaped
   */
  record LeftProcess(
      long pid, long startTicks, boolean kept, String command, List<TaskId> taskIds) {
    public LeftProcess {
      taskIds = List.copyOf(taskIds);
    }
  }

  /**
   * What became of a process and those that it has started.
   *
   * @param survivors those that were still alive after some seconds
   */
  record EndedProcess(long pid, List<Long> killed, List<Long> survivors) {
    public EndedProcess {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /** Begins to stop the daemon; returns at once. Who asks again ends the wait. */
  Stopping shutdown(Stop stop);

  /** Removes what is no longer kept. */
  Cleaned gc();

  /** What is set, and where each value comes from. */
  Configuration.Listing config();

  /** The processes of tasks that live on after them. */
  List<LeftProcess> processes();

  /** Ends one of those, with what it has started; returns when they are dead. */
  EndedProcess endProcess(long pid, String by) throws InterruptedException;

  /** Reads the settings again; the answer says what counts now and what after a restart. */
  Configuration.Reloaded reload();
}
