package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code errand reload}: makes the daemon read its settings again. */
final class ReloadCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    return Specs.verb(
        "reload",
        new Specs.About(
            "Make the daemon read its settings again",
            "",
            """
            Says what counts from now on and what only after errand restart. A file with a mistake \
            changes nothing and is told with its line. A SIGHUP to the daemon does the same.\
            """,
            List.of("errand reload", "errand config --check config.toml && errand reload")));
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    try (var client = context.daemon().connect()) {
      var answer = client.reload();
      if (Specs.has(parsed, Specs.JSON)) {
        context.console().print(Json.text(answer.node()));
      } else {
        tell(answer, context.console());
      }
      return ExitCode.OK.number();
    }
  }

  private static void tell(JsonFields answer, Console console) {
    var changed = answer.node().path("changed");
    var later = answer.node().path("after_restart");
    if (changed.isEmpty()) {
      console.print("nothing is changed");
    }
    changed.forEach(it -> console.print(line(it)));
    later.forEach(it -> console.print(line(it) + " (after: errand restart)"));
  }

  private static String line(JsonNode change) {
    return SafeText.line(
        "%s: %s -> %s"
            .formatted(
                change.path("key").stringValue(""),
                text(change.path("before")),
                text(change.path("after"))));
  }

  private static String text(JsonNode value) {
    return value.isNull() ? "none" : Json.text(value);
  }
}
