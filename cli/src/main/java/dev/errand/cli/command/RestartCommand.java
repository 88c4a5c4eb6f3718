package dev.errand.cli.command;

import dev.errand.cli.launch.NotRunningException;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.json.JsonFields;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand restart}: replaces the daemon while tasks go on. */
final class RestartCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    return Specs.verb(
        "restart",
        new Specs.About(
            "Replace the daemon with one of this build; tasks go on",
            "",
            """
            Returns when the new daemon is ready. Running tasks notice nothing; who follows them \
            is connected again by itself.\
            """,
            List.of("errand restart")));
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    context.daemon().checkMayStart();
    var before = stopped(context);
    try (var client = context.daemon().connectOrStart()) {
      var now = client.version();
      var old = before.map(it -> it.text("build", "?")).orElse(null);
      context
          .console()
          .print(
              Specs.has(parsed, Specs.JSON)
                  ? JsonLines.object(out ->
                      out.text("old_build", old)
                          .text("build", now.textOrNull("build"))
                          .number("pid", now.number("pid", 0)))
                  : text(old == null ? "none ran" : "was build " + old, now));
      return ExitCode.OK.number();
    }
  }

  /** The version of the old daemon; empty if none ran. */
  private static Optional<JsonFields> stopped(Context context) throws InterruptedException {
    try {
      return Optional.of(context.daemon().stopForRestart());
    } catch (NotRunningException e) {
      return Optional.empty();
    }
  }

  private static String text(String before, JsonFields now) {
    return SafeText.line(
        "restarted: pid %d, build %s (%s)"
            .formatted(now.number("pid", 0), now.text("build", "?"), before));
  }
}
