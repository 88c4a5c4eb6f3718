package dev.errand.cli.command;

import dev.errand.cli.board.BoardSession;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand watch}: a live board of tasks. */
final class WatchCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "watch",
            new Specs.About(
                "Watch all tasks on a live board",
                "[OPTIONS]",
                """
                Shows what runs, waits and has ended, each with the last line it wrote, as it \
                happens. Up and down (or k and j) choose a task; Enter or a attaches to its terminal, \
                or shows what a task without one wrote; l shows that of any; c cancels it, after a \
                question; f filters by label, command, status or id; q leaves. --json has no effect.\
                """,
                List.of("errand watch")));
    spec.addOption(AttachCommand.keysOption());
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    var keys = AttachCommand.keys(parsed, context.environment());
    var terminal = context.console().terminal();
    if (!terminal.inIsTerminal() || !terminal.outIsTerminal()) {
      throw new UsageException(
          "watch needs a terminal for its input and output; without one use: errand ls"
              + " --active, errand events -f");
    }
    try (var client = context.daemon().connect()) {
      new BoardSession(client, context.console(), keys, context.clock()).run();
    }
    return ExitCode.OK.number();
  }
}
