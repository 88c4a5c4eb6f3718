package dev.errand.host.protocol;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.Data;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The requests that the daemon can send to a host. */
public sealed interface HostRequest {

  /** The first request on a connection. */
  record Hello(int protocol, String journalId, String build) implements HostRequest {}

  /** Starts an attempt, once: a repeated request gets the same answer. */
  record Spawn(
      AttemptId id,
      String sessionId,
      Program program,
      Surroundings surroundings,
      Limits limits,
      Leftover leftover,
      boolean sync,
      Map<LogStream, Long> startOffsets)
      implements HostRequest {
    public Spawn {
      startOffsets = Map.copyOf(startOffsets);
    }
  }

  /** What to run. */
  sealed interface Program {
    /** A line for the shell. */
    record Command(String line) implements Program {}

    /** A program and its arguments. */
    record Argv(List<String> words) implements Program {
      public Argv {
        words = List.copyOf(words);
        if (words.isEmpty()) {
          throw new IllegalArgumentException("argv must have at least the program");
        }
      }
    }
  }

  /**
   * Where it runs: its folder, variables in addition to the standard ones, and its input.
   *
   * @param secretNames the variables whose values must not be recorded; if one of them has no
   *     value, it was lost on the way, and nothing is started
   * @param terminal the size of its terminal; null: it has pipes
   * @param fixedCwd whether the policy judged its folder: if that path now leads to another folder
   *     through a link, nothing is started
   */
  record Surroundings(
      String cwd,
      Map<String, String> env,
      boolean stdin,
      Set<String> secretNames,
      @Nullable TerminalSize terminal,
      boolean fixedCwd) {
    public Surroundings {
      env = Map.copyOf(env);
      secretNames = Set.copyOf(secretNames);
    }

    public Surroundings(
        String cwd, Map<String, String> env, boolean stdin, Set<String> secretNames) {
      this(cwd, env, stdin, secretNames, null, false);
    }

    public Surroundings(String cwd, Map<String, String> env, boolean stdin) {
      this(cwd, env, stdin, Set.of(), null, false);
    }

    /** Names only: values hold keys and tokens. */
    @Override
    public String toString() {
      return "Surroundings[" + cwd + ", " + env.keySet() + ", stdin=" + stdin + "]";
    }
  }

  /**
   * The limits of an attempt.
   *
   * @param capBytes output kept per stream
   * @param wall how long it may run; null: without a limit
   * @param idle how long it may be silent; null: without a limit
   * @param grace the time between TERM and KILL
   * @param drain how long to wait after the exit for streams that other processes hold open
   * @param resources the resource limits
   */
  record Limits(
      long capBytes,
      OnOutputLimit onOutputLimit,
      @Nullable Duration wall,
      @Nullable Duration idle,
      Duration grace,
      Duration drain,
      ResourceLimits resources) {
    public static final long CAP_BYTES_DEFAULT = 1L << 30;
    public static final Duration GRACE_DEFAULT = Duration.ofSeconds(5);
    public static final Duration DRAIN_DEFAULT = Duration.ofSeconds(2);

    public Limits(
        long capBytes,
        OnOutputLimit onOutputLimit,
        @Nullable Duration wall,
        @Nullable Duration idle,
        Duration grace,
        Duration drain) {
      this(capBytes, onOutputLimit, wall, idle, grace, drain, ResourceLimits.NONE);
    }

    public static Limits none() {
      return new Limits(
          CAP_BYTES_DEFAULT, OnOutputLimit.TRUNCATE, null, null, GRACE_DEFAULT, DRAIN_DEFAULT);
    }
  }

  /** What happens when the cap is passed. */
  enum OnOutputLimit {
    TRUNCATE,
    KILL
  }

  /** What happens to processes that outlive the leader. */
  enum Leftover {
    KILL,
    KEEP
  }

  /** Makes sure that the attempt, which was not started, never starts. */
  record Forget(AttemptId id) implements HostRequest {}

  /** Ends the attempt: TERM, then KILL after the grace (null: the one given with the spawn). */
  record Cancel(AttemptId id, @Nullable Duration grace, String reason) implements HostRequest {}

  /** Sends a signal to the process group, once per operation id. */
  record Signal(AttemptId id, String opId, String signal, String by) implements HostRequest {}

  /** Writes to standard input, once per operation id, in the order asked. */
  record Stdin(AttemptId id, String opId, Data data, boolean eof, boolean secret, String by)
      implements HostRequest {}

  /** Changes the size of the terminal, once per operation id. */
  record Resize(AttemptId id, String opId, TerminalSize size, String by) implements HostRequest {}

  /**
   * Kills what is left of an attempt of a dead host, or of one that is over.
   *
   * @param kept processes that were allowed to live on, which may have removed their marks
   */
  record Sweep(TaskId taskId, long pid, long startTicks, String bootId, long tag, List<Kept> kept)
      implements HostRequest {
    public Sweep {
      kept = List.copyOf(kept);
    }

    public Sweep(TaskId taskId, long pid, long startTicks, String bootId, long tag) {
      this(taskId, pid, startTicks, bootId, tag, List.of());
    }
  }

  /** A process of this boot. */
  record Kept(long pid, long startTicks) {}

  /** All segments before this one are in the journal. */
  record Consumed(long segment) implements HostRequest {}

  record Stats() implements HostRequest {}

  /** Ends the host; with kill, its tasks first. */
  record Shutdown(boolean kill) implements HostRequest {}
}
