package dev.errand.core.task;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Work of the kind that has a process: a program, its folder, variables and streams, and how its
 * end is brought about.
 *
 * @param toolName the caller's word for it
 */
public record Command(
    String toolName,
    Invocation invocation,
    String cwd,
    Environment environment,
    Io io,
    Limits limits,
    OnRestart onRestart)
    implements Work {

  static final Command UNREADABLE =
      new Command(
          "unknown",
          new Invocation.Shell(""),
          "/",
          Environment.NONE,
          new Io(ExecutionMode.PIPES, false, 0, OnOutputLimit.TRUNCATE, 0),
          new Limits(null, null, Duration.ZERO, Duration.ZERO, Leftover.KILL),
          OnRestart.LOST);

  @Override
  public TaskKind kind() {
    return TaskKind.COMMAND;
  }

  @Override
  public Command in(String folder) {
    return new Command(toolName, invocation, folder, environment, io, limits, onRestart);
  }

  @Override
  public List<LogStream> streams() {
    return switch (io.mode()) {
      case PIPES -> List.of(LogStream.STDOUT, LogStream.STDERR);
      case PTY -> List.of(LogStream.PTY);
    };
  }

  @Override
  public long framesMax() {
    return io.framesMax();
  }

  @Override
  public @Nullable TerminalSize terminal() {
    return io.terminal();
  }

  /**
   * How its streams are treated; the cap counts per stream, the frames count for the task.
   *
   * @param stdin whether it can be written to; a terminal always can
   * @param terminal the size at the start, just for a task with a terminal
   * @param shownBytesMax the limit of output shown, over all streams, to clients that read item by
   *     item; absent: the client decides
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
      return Command.word(this);
    }
  }

  /** What happens when a stream passes its cap: its middle is dropped, or the task is killed. */
  public enum OnOutputLimit {
    TRUNCATE,
    KILL;

    public String word() {
      return Command.word(this);
    }
  }

  /** What becomes of descendants that hold a stream open after their task's own process ended. */
  public enum Leftover {
    KILL,
    KEEP;

    public String word() {
      return Command.word(this);
    }
  }

  /** What becomes of the task when its process is gone with the host that owned it. */
  public enum OnRestart {
    LOST,
    REQUEUE;

    public String word() {
      return Command.word(this);
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
