package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand deny}: ends held tasks before they run. */
final class DenyCommand implements CliCommand {
  private static final String REASON = "--reason";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "deny",
            new Specs.About(
                "Refuse tasks that wait for approval",
                "ID... [OPTIONS]",
                """
                They end as failed with the reason denied, and their caller sees who refused and \
                what was said. A task that runs already is ended by errand cancel.\
                """,
                List.of("errand deny deploy --reason 'not on a friday'")));
    spec.addPositional(TaskNames.many());
    spec.addOption(Specs.text("TEXT", "the reason, which the caller sees", "-m", REASON));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    @Nullable String reason = parsed.matchedOptionValue(REASON, (String) null);
    try (var client = context.daemon().connect()) {
      var names = TaskNames.of(client, context);
      for (var taskId : names.resolveAll(Specs.positionals(parsed))) {
        var status = client.deny(taskId, reason);
        context
            .console()
            .print(
                Specs.has(parsed, Specs.JSON) ? status.text() : ShortIds.of(taskId) + " is denied");
      }
    }
    return ExitCode.OK.number();
  }
}
