package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand approve}: lets held tasks run. */
final class ApproveCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "approve",
            new Specs.About(
                "Let tasks run that wait for approval",
                "ID... [OPTIONS]",
                """
                A rule of the policy may hold a task until a person has answered. errand ls shows \
                which wait, errand status what they would do and why. Approving twice does no \
                harm. Only you may answer: not a token of the profile safe, and not a task.\
                """,
                List.of("errand approve deploy", "errand approve a1b2 c3d4")));
    spec.addPositional(TaskNames.many());
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    try (var client = context.daemon().connect()) {
      var names = TaskNames.of(client, context);
      for (var taskId : names.resolveAll(Specs.positionals(parsed))) {
        var status = client.approve(taskId);
        context
            .console()
            .print(
                Specs.has(parsed, Specs.JSON)
                    ? status.text()
                    : ShortIds.of(taskId) + " is approved");
      }
    }
    return ExitCode.OK.number();
  }
}
