package dev.errand.wire.json;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.task.Work;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was asked for when a task was spawned, as the fields of its first frame. */
final class SpecJson {

  /** How many bytes of a log one read returns when the reader does not say. */
  static final long READ_BYTES_DEFAULT = 512 * 1024;

  private SpecJson() {}

  static void write(JsonWriter out, TaskId taskId, TaskSpec spec) {
    switch (spec.work()) {
      case Command it -> write(out, taskId, spec, it);
    }
  }

  private static void write(JsonWriter out, TaskId taskId, TaskSpec spec, Command command) {
    out.text("tool_name", command.toolName());
    out.object("args", args -> args(args, command));
    out.text("cwd", command.cwd());
    out.text("title", spec.origin().title());
    out.text("label", spec.origin().label());
    out.text("execution_mode", command.io().mode().word());
    size(out, command.terminal());
    out.text("origin_session_id", spec.origin().originSessionId());
    out.text("by", spec.origin().by());
    out.text("kind", command.kind().word());
    out.object("limits", it -> SpawnLimits.write(it, command.limits()));
    out.text("on_restart", command.onRestart().word());
    out.text("on_output_limit", command.io().onOutputLimit().word());
    out.number("max_frames", command.framesMax());
    out.object("artifacts", artifacts -> artifacts(artifacts, taskId, command));
    RulingJson.write(out, spec.ruling());
    SpawnPlan.write(out, spec.plan());
    SpawnWatching.write(out, spec.watching());
    SpawnIo.writeLater(out, command.io());
  }

  /** Nothing for what has no terminal. */
  static void size(JsonWriter out, @Nullable TerminalSize size) {
    if (size != null) {
      out.number("rows", size.rows()).number("cols", size.cols());
    }
  }

  static TerminalSize size(JsonFields in) {
    return new TerminalSize(
        Math.toIntExact(in.number("rows", TerminalSize.DEFAULT.rows())),
        Math.toIntExact(in.number("cols", TerminalSize.DEFAULT.cols())));
  }

  private static void args(JsonWriter out, Command command) {
    switch (command.invocation()) {
      case Invocation.Shell it -> out.text("command", it.commandLine());
      case Invocation.Program it -> out.texts("argv", it.argv());
      case Invocation.Fed it -> out.texts("argv", it.argv()).text("input", it.input());
    }
    out.text("cwd", command.cwd());
    var values = command.environment().values();
    if (!values.isEmpty()) {
      out.texts("env", values);
    }
    var secretNames = command.environment().secretNames();
    if (!secretNames.isEmpty()) {
      out.texts("secret_env", List.copyOf(secretNames));
    }
    out.bool("stdin", command.io().stdin());
  }

  private static void artifacts(JsonWriter out, TaskId taskId, Command command) {
    out.object(
        "logs",
        logs -> {
          for (var stream : command.streams()) {
            logs.object(stream.word(), log -> log.text("id", stream.logId(taskId)).nothing("path"));
          }
        });
    out.number("artifact_max_bytes", command.io().capBytes());
    out.number("max_bytes", READ_BYTES_DEFAULT);
  }

  /** Nothing for what was not given, as with most tasks. */
  static void given(JsonWriter out, String name, @Nullable Long value) {
    if (value != null) {
      out.number(name, value);
    }
  }

  static TaskSpec read(JsonFields in, SessionId sessionId) {
    var origin =
        new TaskSpec.Origin(
            sessionId,
            in.text("by", ""),
            in.textOrNull("label"),
            in.textOrNull("title"),
            in.textOrNull("origin_session_id"));
    return new TaskSpec(
        origin, work(in), RulingJson.read(in), SpawnPlan.recorded(in), SpawnWatching.recorded(in));
  }

  /** Logs of the first programs do not say it, and had nothing else. */
  static TaskKind kind(JsonFields in) {
    var word = in.text("kind", TaskKind.COMMAND.word());
    return TaskKind.ofWord(word)
        .orElseThrow(
            () -> new ErrandException(ErrorCode.INTERNAL_ERROR, "no such kind of task: " + word));
  }

  private static Work work(JsonFields in) {
    return switch (kind(in)) {
      case COMMAND -> command(in);
    };
  }

  private static Command command(JsonFields in) {
    var args = in.object("args");
    var commandLine = args.textOrNull("command");
    var invocation = commandLine == null ? program(args) : new Invocation.Shell(commandLine);
    var environment = new Environment(args.textMap("env"), Set.copyOf(args.texts("secret_env")));
    return new Command(
        in.text("tool_name"),
        invocation,
        in.text("cwd"),
        environment,
        SpawnIo.recorded(in),
        SpawnLimits.recorded(in.object("limits")),
        EnumWords.of(Command.OnRestart.class, in.text("on_restart", "lost")));
  }

  private static Invocation program(JsonFields args) {
    var input = args.textOrNull("input");
    return input == null
        ? new Invocation.Program(args.texts("argv"))
        : new Invocation.Fed(args.texts("argv"), input);
  }
}
