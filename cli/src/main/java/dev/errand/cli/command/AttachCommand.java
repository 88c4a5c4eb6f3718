package dev.errand.cli.command;

import dev.errand.cli.attach.AttachSession;
import dev.errand.cli.attach.DetachKeys;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.AttachOptions;
import dev.errand.wire.client.ErrandClient;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand attach}: a person's terminal joined to that of a task. */
final class AttachCommand implements CliCommand {
  static final String DETACH_KEYS = "--detach-keys";
  private static final String VIEW = "--view";
  private static final String KEYS_VARIABLE = "ERRAND_DETACH_KEYS";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "attach",
            new Specs.About(
                "Join your terminal to that of a task",
                "ID [OPTIONS]",
                """
                Shows the task's screen as it is, then what follows; what you type goes to the task, \
                and its terminal takes the size of yours. Ctrl-] d detaches and leaves it running, \
                Ctrl-] Ctrl-] sends that key, Ctrl-] ? helps. Several may be attached at once; who \
                typed last decides the size. Lost connections, also to a daemon that was restarted, \
                are made again. When the task ends, the exit code is its own. --json has no effect.\
                """,
                List.of(
                    "errand attach shell",
                    "errand attach build --view",
                    "errand attach vim --detach-keys 'C-p q'")));
    spec.addPositional(TaskNames.one());
    spec.addOption(Specs.flag("read only: send no keys and do not resize", VIEW));
    spec.addOption(keysOption());
    return spec;
  }

  static OptionSpec keysOption() {
    return Specs.text(
        "KEYS",
        "two keys that detach (default: '%s', or the value of %s)"
            .formatted(DetachKeys.DEFAULT, KEYS_VARIABLE),
        DETACH_KEYS);
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var keys = keys(parsed, context.environment());
    mustHaveTerminal(context);
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(Specs.positional(parsed));
      mustBeTerminal(client, taskId);
      var options = AttachOptions.TERMINAL;
      return attach(
          client, taskId, Specs.has(parsed, VIEW) ? options.viewing() : options, keys, context);
    }
  }

  static DetachKeys keys(ParseResult parsed, Map<String, String> environment) {
    var standard = environment.getOrDefault(KEYS_VARIABLE, DetachKeys.DEFAULT);
    try {
      return DetachKeys.of(parsed.matchedOptionValue(DETACH_KEYS, standard));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static void mustHaveTerminal(Context context) {
    var terminal = context.console().terminal();
    if (!terminal.inIsTerminal() || !terminal.outIsTerminal()) {
      throw new UsageException(
          "attach needs a terminal to type on and to show; without one use: errand logs -f,"
              + " errand send, errand screen");
    }
  }

  private static void mustBeTerminal(ErrandClient client, TaskId taskId) {
    var mode = client.status(taskId).fields().text("execution_mode", "pipes");
    if (!mode.equals("pty")) {
      throw new CliException(
          ExitCode.REFUSED,
          "the task has no terminal (it was not started with -t); follow it with: errand logs -f "
              + taskId);
    }
  }

  private static int attach(
      ErrandClient client, TaskId taskId, AttachOptions options, DetachKeys keys, Context context) {
    var ended = new AttachSession(context.console(), keys).run(client, taskId, options);
    if (ended.isEmpty()) {
      return detached(taskId, context);
    }
    TaskExit.explain(context.console(), ended.get());
    return TaskExit.codeOf(ended.get());
  }

  /** Not exit code 0: a script must not take this for the end of the task. */
  static int detached(TaskId taskId, Context context) {
    context.console().say("\ndetached; the task goes on: errand attach " + taskId);
    return ExitCode.DETACHED.number();
  }
}
