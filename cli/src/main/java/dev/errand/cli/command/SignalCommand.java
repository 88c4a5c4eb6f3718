package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand signal}: sends a signal to a task's processes. */
final class SignalCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "signal",
            new Specs.About(
                "Send a signal to a task's processes",
                "ID SIGNAL",
                """
                One of INT QUIT TERM HUP KILL USR1 USR2 STOP CONT, with or without SIG. It goes to \
                all processes of the task, also to those that left its process group; at a \
                terminal INT and QUIT act as Ctrl-C and Ctrl-\\ would. What the task makes of it is its own matter; to end it use errand cancel.\
                """,
                List.of("errand signal web HUP", "errand signal build SIGUSR1")));
    spec.addPositional(TaskNames.one());
    spec.addPositional(Specs.argument(1, "SIGNAL", "its name"));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    var signal = words.get(1).toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(words.getFirst());
      client.signal(taskId, signal);
      context
          .console()
          .print(
              Specs.has(parsed, Specs.JSON)
                  ? JsonLines.object(
                      out -> out.text("task_id", taskId.value()).text("signal", signal))
                  : ShortIds.of(taskId) + " got SIG" + signal);
      return ExitCode.OK.number();
    }
  }
}
