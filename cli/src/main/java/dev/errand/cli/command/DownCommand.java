package dev.errand.cli.command;

import dev.errand.cli.launch.HostFolders;
import dev.errand.cli.launch.NotRunningException;
import dev.errand.cli.terminal.Console;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand down}: stops the daemon. */
final class DownCommand implements CliCommand {
  private static final String ALL = "--all";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "down",
            new Specs.About(
                "Stop the daemon; tasks go on",
                "[--all]",
                """
                Running tasks go on in their host, and their output is kept; the next daemon takes \
                them over. Queued tasks wait for it. Where tasks.on_stop is set to drain, running \
                tasks get some time to end first; where it is kill, all tasks are cancelled. --all \
                ends all tasks and hosts first, whatever is set.\
                """,
                List.of("errand down", "errand down --all")));
    spec.addOption(Specs.flag("end all tasks and hosts too", ALL));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    var all = Specs.has(parsed, ALL);
    try {
      var onStop = context.daemon().stop(all);
      said(context.console(), parsed, all ? "stopped, with all tasks" : text(onStop), true);
      return ExitCode.OK.number();
    } catch (NotRunningException e) {
      return notRunning(parsed, context);
    }
  }

  private static String text(String onStop) {
    return switch (onStop) {
      case "drain" -> "stopped; tasks that did not end in time go on";
      case "kill" -> "stopped; tasks were cancelled";
      default -> "stopped; tasks go on";
    };
  }

  /** No running daemon is success, unless there are hosts that only a daemon can end. */
  private static int notRunning(ParseResult parsed, Context context) {
    if (Specs.has(parsed, ALL) && !HostFolders.alive(context.home()).isEmpty()) {
      throw new CliException(
          ExitCode.NO_DAEMON,
          "no daemon runs, but tasks may: errand up && errand down --all ends them");
    }
    said(context.console(), parsed, "no daemon runs", false);
    return ExitCode.OK.number();
  }

  private static void said(Console console, ParseResult parsed, String text, boolean stopped) {
    console.print(
        Specs.has(parsed, Specs.JSON)
            ? JsonLines.object(out -> out.bool("stopped", stopped))
            : text);
  }
}
