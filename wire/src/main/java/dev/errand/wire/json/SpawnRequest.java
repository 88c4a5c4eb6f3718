package dev.errand.wire.json;

import dev.errand.core.task.Attention;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.Plan;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TerminalSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A checked request for a new task; what the caller left open is absent. */
public record SpawnRequest(
    Names names,
    Work work,
    Io io,
    Limits limits,
    Command.@Nullable OnRestart onRestart,
    @Nullable String justification,
    Plan plan,
    Attention attention) {

  public record Names(
      @Nullable SessionId sessionId,
      @Nullable String label,
      @Nullable String title,
      @Nullable String originSessionId) {}

  /**
   * What to run, and where.
   *
   * @param environment the variables that may be recorded, and the names of the others
   * @param secrets the values of the others
   */
  public record Work(
      String tool,
      Invocation invocation,
      @Nullable String cwd,
      Environment environment,
      Environment secrets) {}

  /** How its streams are treated; with a size it gets a terminal. */
  public record Io(
      boolean stdin,
      @Nullable Long capBytes,
      Command.@Nullable OnOutputLimit onOutputLimit,
      @Nullable TerminalSize terminal,
      @Nullable Long shownBytesMax) {

    public Command.ExecutionMode mode() {
      return terminal == null ? Command.ExecutionMode.PIPES : Command.ExecutionMode.PTY;
    }
  }

  public record Limits(
      @Nullable Duration wall,
      @Nullable Duration idle,
      @Nullable Duration grace,
      @Nullable Duration drain,
      Command.@Nullable Leftover leftover,
      ResourceLimits resources) {}

  /** What holds where the caller says nothing. */
  public record Defaults(
      SessionId sessionId,
      String cwd,
      @Nullable Duration wall,
      Duration grace,
      Duration drain,
      long capBytes,
      long framesMax,
      ResourceLimits resources,
      Duration terminalIdle) {}

  /** The names of all fields that a body may have. */
  public static List<String> fields() {
    return SpawnRequestReader.FIELDS;
  }

  /** The request in this body; fails with INVALID_REQUEST, saying which field and why. */
  public static SpawnRequest of(JsonNode body) {
    return SpawnRequestReader.read(body);
  }

  /** The same for a tool of that name, which runs this. */
  public SpawnRequest running(String tool, Invocation invocation) {
    var other = new Work(tool, invocation, work.cwd(), work.environment(), work.secrets());
    return new SpawnRequest(names, other, io, limits, onRestart, justification, plan, attention);
  }

  /** The full wish of this caller; a relative folder is meant from the default one. */
  public TaskSpec spec(String by, Defaults defaults) {
    var sessionId = or(names.sessionId(), defaults.sessionId());
    return new TaskSpec(
        new TaskSpec.Origin(sessionId, by, names.label(), names.title(), names.originSessionId()),
        command(defaults),
        null,
        plan,
        attention);
  }

  private Command command(Defaults defaults) {
    return new Command(
        work.tool(),
        work.invocation(),
        folder(defaults.cwd()),
        work.environment(),
        new Command.Io(
            io.mode(),
            io.stdin(),
            or(io.capBytes(), defaults.capBytes()),
            or(io.onOutputLimit(), Command.OnOutputLimit.TRUNCATE),
            defaults.framesMax(),
            io.terminal(),
            io.shownBytesMax()),
        new Command.Limits(
            limits.wall() == null ? defaults.wall() : limits.wall(),
            idle(defaults),
            or(limits.grace(), defaults.grace()),
            or(limits.drain(), defaults.drain()),
            or(limits.leftover(), Command.Leftover.KILL),
            limits.resources().or(defaults.resources())),
        or(onRestart, Command.OnRestart.LOST));
  }

  /**
   * A terminal that nobody uses any more waits for its next line for ever, so it has an end; unless
   * it is meant to run on.
   */
  private @Nullable Duration idle(Defaults defaults) {
    return limits.idle() == null && io.terminal() != null && !plan.service()
        ? defaults.terminalIdle()
        : limits.idle();
  }

  private String folder(String base) {
    var cwd = work.cwd();
    return cwd == null ? base : Path.of(base).resolve(cwd).normalize().toString();
  }

  private static <T> T or(@Nullable T given, T whenAbsent) {
    return given == null ? whenAbsent : given;
  }
}
