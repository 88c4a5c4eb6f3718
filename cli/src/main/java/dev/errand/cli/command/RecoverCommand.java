package dev.errand.cli.command;

import dev.errand.cli.launch.Survey;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.json.Json;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand recover}: shows what remains in a home after a loss, and what can be done. */
final class RecoverCommand implements CliCommand {
  private static final String ACCEPT = "--accept";
  private static final String NEW_JOURNAL = "--new-journal";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "recover",
            new Specs.About(
                "Show what remains after a loss, and what can be done",
                "[--accept | --new-journal]",
                """
                Looks at the journal, and at logs, artifacts and hosts of tasks that it does not \
                know. Needs no daemon, and changes nothing without an option. While a loss is not \
                accepted, errand doctor names it and nothing is removed that no task explains.\
                """,
                List.of("errand recover", "errand recover --new-journal")));
    spec.addOption(Specs.flag("accept the loss: the remains of lost tasks may be removed", ACCEPT));
    spec.addOption(
        Specs.flag(
            "keep the present journal file under another name, begin a new journal,"
                + " and start the daemon",
            NEW_JOURNAL));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    if (Specs.has(parsed, ACCEPT) && Specs.has(parsed, NEW_JOURNAL)) {
      throw new UsageException("use --accept or --new-journal, not both");
    }
    if (Specs.has(parsed, NEW_JOURNAL)) {
      try (var client = context.daemon().beginAnew()) {
        UpCommand.tell(client, parsed, context);
        return ExitCode.OK.number();
      }
    }
    if (Specs.has(parsed, ACCEPT)) {
      accept(parsed, context);
      return ExitCode.OK.number();
    }
    var survey = Survey.of(context.installation());
    context
        .console()
        .print(
            Specs.has(parsed, Specs.JSON)
                ? Json.text(survey.node())
                : SafeText.block(new SurveyText(survey).text()));
    return ExitCode.OK.number();
  }

  private static void accept(ParseResult parsed, Context context) {
    var accepted = Survey.acceptLoss(context.home());
    var text =
        accepted
            ? "accepted; the next clean-up removes the remains of the lost tasks"
            : "there is no loss to accept; see: errand recover";
    context
        .console()
        .print(
            Specs.has(parsed, Specs.JSON)
                ? JsonLines.object(out -> out.bool("accepted", accepted))
                : text);
  }
}
