package dev.errand.wire.json;

import dev.errand.core.task.Command;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.Plan;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.WatchSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A checked request for a new task; what the caller left open is absent. */
public record SpawnRequest(
    SpawnNames names,
    SpawnWork work,
    SpawnIo io,
    SpawnLimits limits,
    Command.OnRestart onRestart,
    @Nullable String justification,
    Plan plan,
    WatchSpec watching) {

  /** The defaults. */
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
    return SpawnFields.FORM.names();
  }

  /** The request in this body; fails with INVALID_REQUEST, saying which field and why. */
  public static SpawnRequest of(JsonNode body) {
    return SpawnRequestReader.read(body);
  }

  /** The same for a tool of that name, which runs this. */
  public SpawnRequest running(String tool, Invocation invocation) {
    var other = work.running(tool, invocation);
    return new SpawnRequest(names, other, io, limits, onRestart, justification, plan, watching);
  }

  /** The spec of this request, for this caller. */
  public TaskSpec spec(String by, Defaults defaults) {
    return new TaskSpec(names.spec(by, defaults), command(defaults), null, plan, watching);
  }

  /** A relative folder is meant from the default one. */
  private Command command(Defaults defaults) {
    return new Command(
        work.tool(),
        work.invocation(),
        work.folder(defaults.cwd()),
        work.environment(),
        io.spec(defaults),
        limits.spec(defaults, silence(defaults)),
        onRestart);
  }

  /**
   * A terminal that nobody uses any more waits for its next line for ever, so it has an end; unless
   * it is meant to run on.
   */
  private @Nullable Duration silence(Defaults defaults) {
    return io.terminal() != null && !plan.service() ? defaults.terminalIdle() : null;
  }
}
