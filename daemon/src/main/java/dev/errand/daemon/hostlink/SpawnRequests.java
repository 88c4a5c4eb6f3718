package dev.errand.daemon.hostlink;

import dev.errand.core.task.Command;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Logs;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Translates a command into the request to the host. */
final class SpawnRequests {
  private static final String HOME = "ERRAND_HOME";

  private SpawnRequests() {}

  static HostRequest.Spawn of(
      TaskId taskId, TaskState.Claimed state, Command command, HostPool.Sending sending) {
    return new HostRequest.Spawn(
        new AttemptId(taskId, state.attempt().number()),
        state.facts().spec().origin().sessionId().value(),
        program(command.invocation()),
        surroundings(taskId, command, sending),
        limits(command),
        leftover(command.limits().leftover()),
        sending.syncLogs(),
        startOffsets(state.facts().logs()));
  }

  /**
   * A missing secret is left out; the host notices that. The home is always this daemon's: a value
   * of the caller would lead the task to a daemon that does not know it.
   */
  private static HostRequest.Surroundings surroundings(
      TaskId taskId, Command command, HostPool.Sending sending) {
    var environment = command.environment();
    var values = new TreeMap<>(environment.values());
    if (!environment.secretNames().isEmpty()) {
      values.putAll(sending.secrets().get(taskId));
    }
    values.put(HOME, sending.home().toString());
    return new HostRequest.Surroundings(
        command.cwd(),
        values,
        command.io().stdin(),
        environment.secretNames(),
        command.terminal(),
        sending.judgesFolders().getAsBoolean());
  }

  private static HostRequest.Program program(Invocation invocation) {
    return switch (invocation) {
      case Invocation.Shell(var line) -> new HostRequest.Program.Command(line);
      case Invocation.Program(var argv) -> new HostRequest.Program.Argv(argv);
      case Invocation.Fed(var argv, var input) -> new HostRequest.Program.Argv(fed(argv, input));
    };
  }

  /**
   * A shell opens the input and becomes the program. The quoted word keeps it from looking into the
   * line, which has no line end and so cannot be that word itself.
   */
  private static List<String> fed(List<String> argv, String input) {
    var script = "exec \"$@\" <<'ERRAND_INPUT'\n" + input + "\nERRAND_INPUT\n";
    return Stream.concat(Stream.of("/bin/sh", "-c", script, "sh"), argv.stream()).toList();
  }

  private static HostRequest.Limits limits(Command command) {
    var limits = command.limits();
    var onOutputLimit =
        switch (command.io().onOutputLimit()) {
          case TRUNCATE -> HostRequest.OnOutputLimit.TRUNCATE;
          case KILL -> HostRequest.OnOutputLimit.KILL;
        };
    return new HostRequest.Limits(
        command.io().capBytes(),
        onOutputLimit,
        limits.wall(),
        limits.idle(),
        limits.grace(),
        limits.drain(),
        limits.resources());
  }

  private static HostRequest.Leftover leftover(Command.Leftover leftover) {
    return switch (leftover) {
      case KILL -> HostRequest.Leftover.KILL;
      case KEEP -> HostRequest.Leftover.KEEP;
    };
  }

  /** A later attempt writes on where the earlier one's output ended. */
  private static Map<LogStream, Long> startOffsets(Logs logs) {
    var offsets = new EnumMap<LogStream, Long>(LogStream.class);
    for (var log : logs.list()) {
      offsets.put(log.stream(), log.bytesTotal());
    }
    return offsets;
  }
}
