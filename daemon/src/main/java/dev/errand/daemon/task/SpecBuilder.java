package dev.errand.daemon.task;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.Command;
import dev.errand.core.task.CwdFrom;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.config.Config;
import dev.errand.wire.json.SpawnRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Builds a full specification from a request: the settings supply what the request leaves open. */
public final class SpecBuilder {
  private final Supplier<Config> configuration;
  private final Path userHome;
  private final DeclaredTools declared;

  public SpecBuilder(Supplier<Config> configuration, Path userHome) {
    this.configuration = configuration;
    this.userHome = userHome;
    this.declared = new DeclaredTools(configuration.get().tools().declared());
  }

  /** The request in this body; throws INVALID_REQUEST with the field and the reason. */
  SpawnRequest request(JsonNode body) {
    return declared.request(body);
  }

  /** Where a task runs that names no folder: in the first of these, else in the home. */
  public record Folders(@Nullable String caller, @Nullable String session) {
    public static final Folders NONE = new Folders(null, null);
  }

  /** The specification, and what decided on its folder. */
  public record Built(TaskSpec spec, CwdFrom cwdFrom) {}

  /** Throws INVALID_REQUEST if the request cannot be met on this machine. */
  public Built build(SpawnRequest request, String by, SessionId sessionId, Folders folders) {
    var config = configuration.get();
    var defaults =
        new SpawnRequest.Defaults(
            sessionId,
            userHome.toString(),
            null,
            config.tasks().grace(),
            config.tasks().drain(),
            config.output().bytesPerStreamMax(),
            config.tasks().framesPerTaskMax(),
            config.limits(),
            config.tasks().terminalIdle());
    var built = placed(request, request.spec(by, defaults), folders);
    var spec = built.spec();
    switch (spec.work()) {
      case Command it -> check(it, config);
    }
    var roots = Roots.of(config.policy().roots(), userHome);
    checkFolder(built, roots);
    new AttentionCheck(roots).check(spec);
    return built;
  }

  /**
   * A declared tool keeps the folder of its settings: its owner vouches for it there, and not where
   * a caller of the session has worked.
   */
  private Built placed(SpawnRequest request, TaskSpec spec, Folders folders) {
    if (declared.has(request.work().tool())) {
      return new Built(spec, CwdFrom.TOOL);
    }
    if (request.work().cwd() != null) {
      return new Built(spec, CwdFrom.CALLER);
    }
    if (folders.caller() != null) {
      return new Built(spec.in(folders.caller()), CwdFrom.CALLER);
    }
    return folders.session() == null
        ? new Built(spec, CwdFrom.HOME)
        : new Built(spec.in(folders.session()), CwdFrom.SESSION);
  }

  private static void check(Command command, Config config) {
    checkCap(command.io().capBytes(), config.output().bytesPerStreamMax());
    checkTimeout(command.limits().wall(), config.tasks().timeouts().max());
    checkLimits(command.limits().resources(), config.limits());
  }

  private static void checkTimeout(@Nullable Duration timeout, Duration max) {
    if (timeout != null && timeout.compareTo(max) > 0) {
      throw invalid(
          "timeout_secs is "
              + timeout.toSeconds()
              + "; this daemon lets a task run for at most "
              + max.toSeconds()
              + ", so ask for less, leave it out, or raise max_timeout_secs in [tasks] of"
              + " config.toml");
    }
  }

  private static void checkCap(long capBytes, long max) {
    if (capBytes > max) {
      throw invalid(
          "artifact_max_bytes is "
              + capBytes
              + "; this daemon keeps at most "
              + max
              + " bytes of a stream");
    }
  }

  /** A task may ask for less than the settings give it, never for more. */
  private static void checkLimits(ResourceLimits asked, ResourceLimits max) {
    checkLimit("memory_bytes", asked.memoryBytes(), max.memoryBytes());
    checkLimit("processes", asked.processes(), max.processes());
    checkLimit("cpu_secs", asked.cpuSecs(), max.cpuSecs());
    checkLimit("open_files", asked.openFiles(), max.openFiles());
    checkLimit("file_size_bytes", asked.fileSizeBytes(), max.fileSizeBytes());
  }

  private static void checkLimit(String name, @Nullable Long asked, @Nullable Long max) {
    if (asked != null && max != null && asked > max) {
      throw invalid(
          "limits."
              + name
              + " is "
              + asked
              + "; this daemon gives a task at most "
              + max
              + ", so ask for less or raise it in [limits] of config.toml");
    }
  }

  /**
   * A folder outside the roots is not read: the policy refuses it without saying whether it exists.
   */
  private static void checkFolder(Built built, Roots roots) {
    var cwd = built.spec().work().cwd();
    var folder = Path.of(cwd);
    if (roots.areSet() && !roots.hold(folder)) {
      return;
    }
    if (built.cwdFrom() == CwdFrom.SESSION && !Files.isDirectory(folder)) {
      throw invalid(
          "the folder of session "
              + built.spec().origin().sessionId().value()
              + ", "
              + cwd
              + ", is gone; name a cwd, which becomes the folder of the session, or make the folder"
              + " again");
    }
    if (!Files.exists(folder)) {
      throw invalid("there is no folder " + cwd + " to run in; make it, or name another cwd");
    }
    if (!Files.isDirectory(folder)) {
      throw invalid(cwd + " is not a folder, so nothing can run in it; name another cwd");
    }
  }

  private static ErrandException invalid(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }
}
