package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be asked of a task. */
public sealed interface TaskCommand {

  /** Accept a new task; with a claim it is given to its runner in the same commit. */
  record Spawn(TaskSpec spec, @Nullable Claim claim) implements TaskCommand {}

  /** There is capacity: the runner may start the task as soon as this is recorded. */
  sealed interface Claim extends TaskCommand {

    /** The next attempt of a command, to be started by that host and by no other. */
    record OnHost(String hostId) implements Claim {}
  }

  /** A person lets a held task run. */
  record Approve(String by) implements TaskCommand {}

  /** A person refuses a held task. */
  record Deny(String reason, String by, long atMs) implements TaskCommand {}

  /** The approval was not answered in time. */
  record ApprovalExpired(long atMs) implements TaskCommand {}

  record Cancel(String reason, String by, long atMs) implements TaskCommand {}

  /** What the host of the current attempt wrote down, in its order. */
  record Report(List<HostFact> facts) implements TaskCommand {
    public Report {
      facts = List.copyOf(facts);
    }
  }

  /** Bytes found in the logs after the last fact of a dead host. */
  record Index(int attempt, List<Tail> tails) implements TaskCommand {
    public Index {
      tails = List.copyOf(tails);
    }

    /** The unrecorded end of one log: everything from {@code offset} on. */
    public record Tail(LogStream stream, long offset, long bytes, Preview preview) {}
  }

  /** The host is proven dead and never began this attempt. */
  record HostLeft(int attempt, long atMs) implements TaskCommand {}

  /**
   * The host is proven dead and the attempt had begun; its remaining processes were killed, and
   * these logs remain.
   */
  record HostLost(
      int attempt, List<Long> killed, List<Long> survivors, List<LogEnd> logs, long atMs)
      implements TaskCommand {
    public HostLost {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
      logs = List.copyOf(logs);
    }
  }

  /** What watchers saw, in the order of the logs. */
  record Watched(List<Sighting> sightings) implements TaskCommand {
    public Watched {
      sightings = List.copyOf(sightings);
    }

    /**
     * One watcher's condition holds; or, with {@code silenced}, it looks no further for that
     * reason.
     *
     * @param watcher its place among those of the task, from 0
     * @param match where, for one that looks at output
     * @param count how many hits it stands for, when many came at once
     */
    public record Sighting(
        int watcher,
        TaskEvent.@Nullable Match match,
        String snippet,
        long count,
        @Nullable String silenced) {}
  }

  /** The condition of readiness holds. */
  record MarkReady(String snippet, long atMs) implements TaskCommand {}

  /**
   * Its terminal seems to wait for input.
   *
   * @param offset how long the log of the terminal was then
   */
  record SeePrompt(String snippet, String confidence, long offset, long atMs)
      implements TaskCommand {}

  /** A task that it waits for ended badly or is gone, so it cannot start any more. */
  record DependencyFailed(TaskId dependency, String detail, long atMs) implements TaskCommand {}

  /** Its record is damaged from that frame on, and its remaining processes were killed. */
  record RecordDamaged(long fromSeq, List<Long> killed, List<Long> survivors, long atMs)
      implements TaskCommand {
    public RecordDamaged {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /** Recorded bytes that a crash of the machine took from a log. */
  record OutputLost(LogStream stream, long from, long to) implements TaskCommand {}
}
