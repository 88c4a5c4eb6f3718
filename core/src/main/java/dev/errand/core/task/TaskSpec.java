package dev.errand.core.task;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All that was asked for when a task was spawned, and what the policy said to it; it never changes
 * afterwards. There is no ruling where nobody judged, as in logs of older programs.
 */
public record TaskSpec(
    Origin origin,
    Work work,
    Io io,
    Limits limits,
    OnRestart onRestart,
    @Nullable Ruling ruling,
    Plan plan,
    Attention attention) {

  private static final String UNREADABLE = "unknown";

  /** Of a task that stands alone. */
  public TaskSpec(
      Origin origin,
      Work work,
      Io io,
      Limits limits,
      OnRestart onRestart,
      @Nullable Ruling ruling) {
    this(origin, work, io, limits, onRestart, ruling, Plan.NONE, Attention.NONE);
  }

  public TaskSpec(Origin origin, Work work, Io io, Limits limits, OnRestart onRestart) {
    this(origin, work, io, limits, onRestart, null);
  }

  /** Stands in for what was asked for where that cannot be read any more; it is never run. */
  public static TaskSpec unreadable(SessionId sessionId, @Nullable String label, Plan plan) {
    return new TaskSpec(
        new Origin(sessionId, "", label, null, null),
        new Work(UNREADABLE, new Invocation.Shell(""), "/", Environment.NONE),
        new Io(ExecutionMode.PIPES, false, 0, OnOutputLimit.TRUNCATE, 0),
        new Limits(null, null, Duration.ZERO, Duration.ZERO, Leftover.KILL),
        OnRestart.LOST,
        null,
        plan,
        Attention.NONE);
  }

  public boolean isUnreadable() {
    return work.toolName().equals(UNREADABLE);
  }

  /** The same in another folder. */
  public TaskSpec in(String cwd) {
    var moved = new Work(work.toolName(), work.invocation(), cwd, work.environment());
    return new TaskSpec(origin, moved, io, limits, onRestart, ruling, plan, attention);
  }

  public TaskSpec ruled(Ruling given) {
    return new TaskSpec(origin, work, io, limits, onRestart, given, plan, attention);
  }

  /** The same, fitted in so. */
  public TaskSpec planned(Plan other) {
    return new TaskSpec(origin, work, io, limits, onRestart, ruling, other, attention);
  }

  /** The same, with this to be noticed of it. */
  public TaskSpec attending(Attention other) {
    return new TaskSpec(origin, work, io, limits, onRestart, ruling, plan, other);
  }

  /** Who asked, and the names given to the task. */
  public record Origin(
      SessionId sessionId,
      String by,
      @Nullable String label,
      @Nullable String title,
      @Nullable String originSessionId) {}

  /** What is run, where, and with which variables; {@code toolName} is the caller's word for it. */
  public record Work(String toolName, Invocation invocation, String cwd, Environment environment) {}

  /**
   * How its streams are treated; the cap counts per stream, the frames count for the task.
   *
   * @param stdin whether it can be written to; a terminal always can
   * @param terminal the size at the start, just for a task with a terminal
   * @param shownBytesMax what is shown of all streams together to who reads output item by item;
   *     where it is absent that reader decides
   */
  public record Io(
      ExecutionMode mode,
      boolean stdin,
      long capBytes,
      OnOutputLimit onOutputLimit,
      long framesMax,
      @Nullable TerminalSize terminal,
      @Nullable Long shownBytesMax) {

    public Io {
      if ((mode == ExecutionMode.PTY) != (terminal != null)) {
        throw new IllegalArgumentException("a terminal has a size, and nothing else has one");
      }
      stdin = stdin || mode == ExecutionMode.PTY;
    }

    public Io(
        ExecutionMode mode,
        boolean stdin,
        long capBytes,
        OnOutputLimit onOutputLimit,
        long framesMax,
        @Nullable TerminalSize terminal) {
      this(mode, stdin, capBytes, onOutputLimit, framesMax, terminal, null);
    }

    /** Of a task with pipes. */
    public Io(
        ExecutionMode mode,
        boolean stdin,
        long capBytes,
        OnOutputLimit onOutputLimit,
        long framesMax) {
      this(mode, stdin, capBytes, onOutputLimit, framesMax, null, null);
    }

    /** The streams that such a task can write to. */
    public List<LogStream> streams() {
      return switch (mode) {
        case PIPES -> List.of(LogStream.STDOUT, LogStream.STDERR);
        case PTY -> List.of(LogStream.PTY);
      };
    }
  }

  /**
   * How long it may take, how its end is brought about, and what else it may use; an absent time is
   * no limit.
   */
  public record Limits(
      @Nullable Duration wall,
      @Nullable Duration idle,
      Duration grace,
      Duration drain,
      Leftover leftover,
      ResourceLimits resources) {

    public Limits(
        @Nullable Duration wall,
        @Nullable Duration idle,
        Duration grace,
        Duration drain,
        Leftover leftover) {
      this(wall, idle, grace, drain, leftover, ResourceLimits.NONE);
    }
  }

  /** How the task's streams are connected. */
  public enum ExecutionMode {
    PIPES,

    /** A terminal: one stream both ways, with a size, line editing and signals by keys. */
    PTY;

    public String word() {
      return TaskSpec.word(this);
    }
  }

  /** What happens when a stream passes its cap: its middle is dropped, or the task is killed. */
  public enum OnOutputLimit {
    TRUNCATE,
    KILL;

    public String word() {
      return TaskSpec.word(this);
    }
  }

  /** What becomes of descendants that hold a stream open after their task's own process ended. */
  public enum Leftover {
    KILL,
    KEEP;

    public String word() {
      return TaskSpec.word(this);
    }
  }

  /** What becomes of the task when its process is gone with the host that owned it. */
  public enum OnRestart {
    LOST,
    REQUEUE;

    public String word() {
      return TaskSpec.word(this);
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
