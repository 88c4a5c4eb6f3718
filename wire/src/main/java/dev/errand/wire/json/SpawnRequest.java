package dev.errand.wire.json;

import dev.errand.core.task.Attention;
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
    TaskSpec.@Nullable OnRestart onRestart,
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
      TaskSpec.@Nullable OnOutputLimit onOutputLimit,
      @Nullable TerminalSize terminal,
      @Nullable Long shownBytesMax) {

    public TaskSpec.ExecutionMode mode() {
      return terminal == null ? TaskSpec.ExecutionMode.PIPES : TaskSpec.ExecutionMode.PTY;
    }
  }

  public record Limits(
      @Nullable Duration wall,
      @Nullable Duration idle,
      @Nullable Duration grace,
      @Nullable Duration drain,
      TaskSpec.@Nullable Leftover leftover,
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
        new TaskSpec.Work(
            work.tool(), work.invocation(), folder(defaults.cwd()), work.environment()),
        new TaskSpec.Io(
            io.mode(),
            io.stdin(),
            or(io.capBytes(), defaults.capBytes()),
            or(io.onOutputLimit(), TaskSpec.OnOutputLimit.TRUNCATE),
            defaults.framesMax(),
            io.terminal(),
            io.shownBytesMax()),
        new TaskSpec.Limits(
            limits.wall() == null ? defaults.wall() : limits.wall(),
            idle(defaults),
            or(limits.grace(), defaults.grace()),
            or(limits.drain(), defaults.drain()),
            or(limits.leftover(), TaskSpec.Leftover.KILL),
            limits.resources().or(defaults.resources())),
        or(onRestart, TaskSpec.OnRestart.LOST),
        null,
        plan,
        attention);
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
