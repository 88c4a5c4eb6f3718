package dev.errand.cli.command;

import dev.errand.cli.launch.Installation;
import dev.errand.cli.launch.NotRunningException;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.json.JsonFields;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand version}: of this program, and of the daemon if one runs. */
final class VersionCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    return Specs.verb(
        "version",
        new Specs.About(
            "Print the version of this program and of the daemon",
            "",
            "A daemon of another build is replaced by: errand restart",
            List.of("errand version", "errand version --json")));
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var own = context.installation();
    var daemon = daemon(context);
    var console = context.console();
    if (Specs.has(parsed, Specs.JSON)) {
      console.print(json(own, daemon.orElse(null)));
      return ExitCode.OK.number();
    }
    console.print("errand " + own.version() + build(own.build()));
    daemon.ifPresent(it ->
        console.print(
            SafeText.line("daemon " + it.text("version", "?") + build(it.textOrNull("build")))));
    return ExitCode.OK.number();
  }

  private static String build(@Nullable String build) {
    return build == null ? "" : " (build " + build + ")";
  }

  private static Optional<JsonFields> daemon(Context context) {
    try (var client = context.daemon().connect()) {
      return Optional.of(client.version());
    } catch (NotRunningException e) {
      return Optional.empty();
    }
  }

  private static String json(Installation own, @Nullable JsonFields daemon) {
    return JsonLines.object(out -> {
      out.text("version", own.version()).text("build", own.build());
      if (daemon == null) {
        out.nothing("daemon");
      } else {
        out.node("daemon", daemon.node());
      }
    });
  }
}
