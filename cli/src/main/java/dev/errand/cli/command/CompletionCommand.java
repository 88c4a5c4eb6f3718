package dev.errand.cli.command;

import dev.errand.cli.launch.NotRunningException;
import dev.errand.cli.terminal.SafeText;
import dev.errand.core.error.ErrandException;
import dev.errand.wire.client.NoDaemonException;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.util.LinkedHashMap;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code errand completion}: prints a script that completes commands, options and tasks in a shell.
 */
final class CompletionCommand implements CliCommand {
  private static final int TASKS_MAX = 100;
  private static final int COMMAND_CHARS_MAX = 40;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "completion",
            new Specs.About(
                "Print a script that completes words in your shell",
                "bash|zsh|fish|tasks",
                """
                Verbs and options are in the script; ids and labels of tasks are asked for when you \
                press Tab, if a daemon runs. The script does that by the word tasks, which prints \
                them one to a line. --json has no effect.\
                """,
                List.of(
                    "source <(errand completion bash)",
                    "errand completion zsh > ~/.zfunc/_errand",
                    "errand completion fish > ~/.config/fish/completions/errand.fish")));
    spec.addPositional(Specs.argument(0, "bash|zsh|fish|tasks", "the shell"));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var word = Specs.positional(parsed);
    var script = new CompletionScript(Vocabulary.all());
    switch (word) {
      case "bash" -> context.console().write(script.bash());
      case "zsh" -> context.console().write(script.zsh());
      case "fish" -> context.console().write(script.fish());
      case "tasks" -> tasks(context);
      default -> throw new UsageException("unsupported shell; use bash, zsh or fish, not " + word);
    }
    return ExitCode.OK.number();
  }

  /** A completion must be fast and silent, so a failure gives no tasks. */
  private static void tasks(Context context) {
    try (var client = context.daemon().connect()) {
      var words = new LinkedHashMap<String, String>();
      for (var task : client.list(TaskFilter.ALL.limit(TASKS_MAX)).tasks()) {
        var label = task.label();
        if (label != null) {
          words.putIfAbsent(label, about(task));
        }
        words.put(task.taskId().value(), about(task));
      }
      words.forEach((word, about) -> context.console().print(word + "\t" + about));
    } catch (NotRunningException | NoDaemonException | ErrandException e) {
      return;
    }
  }

  private static String about(TaskStatus task) {
    var command = SafeText.line(task.command()).replace(':', ' ');
    return task.status()
        + " "
        + command.substring(0, Math.min(COMMAND_CHARS_MAX, command.length()));
  }
}
