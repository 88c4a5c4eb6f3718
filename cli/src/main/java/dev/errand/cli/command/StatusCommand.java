package dev.errand.cli.command;

import dev.errand.cli.render.StatusBlock;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand status}: one task in detail. */
final class StatusCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "status",
            new Specs.About(
                "Show a task in detail",
                "ID",
                "The request, the status and the result. --json has every field.",
                List.of("errand status web", "errand status 0198f2a3 --json")));
    spec.addPositional(TaskNames.one());
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var console = context.console();
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(Specs.positional(parsed));
      var status = client.status(taskId);
      if (Specs.has(parsed, Specs.JSON)) {
        console.print(status.text());
      } else {
        StatusBlock.lines(status, context.clock().instant(), console.terminal().colour())
            .forEach(console::print);
      }
      return ExitCode.OK.number();
    }
  }
}
