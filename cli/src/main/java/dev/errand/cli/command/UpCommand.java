package dev.errand.cli.command;

import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.http.DaemonFile;
import dev.errand.wire.json.JsonFields;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand up}: makes sure that a daemon runs. */
final class UpCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    return Specs.verb(
        "up",
        new Specs.About(
            "Start the daemon if none runs, and say where it is",
            "",
            """
            It runs in the background and writes to daemon.log in ERRAND_HOME. run and spawn start \
            it too when they need it.\
            """,
            List.of("errand up", "errand up --json")));
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    try (var client = context.daemon().connectOrStart()) {
      tell(client, parsed, context);
      return ExitCode.OK.number();
    }
  }

  static void tell(ErrandClient client, ParseResult parsed, Context context)
      throws InterruptedException {
    var version = client.version();
    var file = context.daemon().awaitFile(version.number("pid", 0));
    context
        .console()
        .print(Specs.has(parsed, Specs.JSON) ? json(version, file, context) : text(version, file));
    client
        .notReady()
        .ifPresent(
            it -> context.console().say(SafeText.line("errand: it accepts no tasks now: " + it)));
  }

  private static String text(JsonFields version, Optional<DaemonFile> file) {
    var http = file.map(it -> it.http() == null ? "" : ", http://" + it.http()).orElse("");
    return SafeText.line(
        "the daemon runs: pid %d, version %s, %s%s"
            .formatted(
                version.number("pid", 0),
                version.text("version", "?"),
                file.map(it -> it.socket()).orElse("?"),
                http));
  }

  private static String json(JsonFields version, Optional<DaemonFile> file, Context context) {
    return JsonLines.object(out ->
        out.number("pid", version.number("pid", 0))
            .text("version", version.textOrNull("version"))
            .text("build", version.textOrNull("build"))
            .text("socket", file.map(it -> it.socket()).orElse(null))
            .text("http", file.map(it -> it.http()).orElse(null))
            .text("home", context.home().root().toString()));
  }
}
