package dev.errand.host.record;

import dev.errand.core.task.Exit;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that happened to an attempt. {@link Exited} is always the last of its attempt. */
public sealed interface HostRecord {
  Stamp stamp();

  default TaskId taskId() {
    return stamp().taskId();
  }

  default int attempt() {
    return stamp().attempt();
  }

  default long n() {
    return stamp().n();
  }

  default long timestampMs() {
    return stamp().timestampMs();
  }

  /** The host is about to start it. All its descendants inherit the tag. */
  record Intent(Stamp stamp, long tag) implements HostRecord {}

  /**
   * The program runs; pid, start time and boot together identify the process for ever.
   *
   * @param limitedBy what enforces its limits, such as {@code memory=cgroup2}; empty without limits
   */
  record Started(Stamp stamp, long pid, long startTicks, String bootId, String limitedBy)
      implements HostRecord {}

  /**
   * Nothing runs and nothing will.
   *
   * @param reasonCode not_found, not_executable, bad_cwd, limit, secrets_gone or error
   * @param errno the kernel's number, or 0 if the host refused
   */
  record NotStarted(Stamp stamp, String reasonCode, int errno, String message)
      implements HostRecord {}

  /** The attempt was withdrawn before it was started and never will be. */
  record Forgotten(Stamp stamp) implements HostRecord {}

  /** Bytes that are stored in the log. */
  record Output(Stamp stamp, LogStream stream, long offset, long bytes, int crc32c)
      implements HostRecord {}

  /** Bytes that were written but are not stored, or no longer. */
  record Gap(Stamp stamp, LogStream stream, long from, long to) implements HostRecord {}

  /** Bytes that are in the log but may not be on disk: they could not be synced. */
  record Lost(Stamp stamp, LogStream stream, long from, long to) implements HostRecord {}

  /**
   * Bytes that the kernel took as standard input of the process.
   *
   * @param full the kernel took no more within the time allowed
   * @param data the start of the bytes, bounded; empty for secrets
   * @param by who wrote them; empty if that is unknown
   */
  record Stdin(
      Stamp stamp,
      String opId,
      int bytes,
      boolean eof,
      boolean full,
      Data data,
      boolean secret,
      String by)
      implements HostRecord {}

  /**
   * A signal was sent to the process group on request.
   *
   * @param outside the processes outside the group that it reached too
   */
  record Signalled(Stamp stamp, String opId, String signal, String by, List<Long> outside)
      implements HostRecord {
    public Signalled {
      outside = List.copyOf(outside);
    }

    public Signalled(Stamp stamp, String opId, String signal, String by) {
      this(stamp, opId, signal, by, List.of());
    }
  }

  /**
   * The size of the terminal was changed on request.
   *
   * @param offset the end of its log at that moment; everything before it was written at the old
   *     size
   */
  record Resized(Stamp stamp, String opId, int rows, int cols, String by, long offset)
      implements HostRecord {}

  /**
   * A step of ending the process by force.
   *
   * @param step term, kill or sweep
   * @param cause cancel, wall, idle, output, or leftover for what outlived a normal exit
   * @param pids the processes that the sweep found; otherwise the group's leader
   */
  record KillStep(Stamp stamp, String step, String cause, List<Long> pids) implements HostRecord {
    public KillStep {
      pids = List.copyOf(pids);
    }
  }

  /**
   * A limit was passed: output, memory or file_size (bytes), wall, idle or cpu (milliseconds),
   * processes (their number).
   */
  record LimitPassed(Stamp stamp, String limit, long value) implements HostRecord {}

  /**
   * The end of the attempt.
   *
   * @param code the exit code, or 128 plus the number of the signal
   * @param cause why it was killed: cancel, wall, idle, output by us; memory, cpu, file_size by the
   *     kernel; null when it ended by itself
   * @param step the step after which the process had ended: term or kill
   * @param pipeHeld a process still held an output stream open when the host stopped waiting
   * @param leftover none, killed or kept: processes that outlived the leader; unknown if /proc
   *     could not be read
   * @param processes the commands of the first of those in {@code killed} and {@code survivors};
   *     empty from older hosts
   */
  record Exited(
      Stamp stamp,
      int code,
      @Nullable String signal,
      @Nullable String cause,
      @Nullable String step,
      boolean pipeHeld,
      String leftover,
      List<Long> killed,
      List<Long> survivors,
      List<StreamEnd> streams,
      Usage usage,
      List<Exit.Leftover> processes)
      implements HostRecord {
    public Exited {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
      streams = List.copyOf(streams);
      processes = List.copyOf(processes);
    }
  }

  /** A record of a kind that this build does not know. */
  record Unknown(Stamp stamp, String kind) implements HostRecord {}
}
