package dev.errand.cli.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand serve}: only the help; the launcher script starts the daemon itself. */
final class ServeCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "serve",
            new Specs.About(
                "Run the daemon in the foreground",
                "[--http ADDRESS] [--read-only]",
                """
                Serves on the Unix socket in ERRAND_HOME until it is interrupted; tasks go on in \
                their host. For a daemon in the background use: errand up. With --read-only what is \
                recorded can be looked at, and no task is begun, ended or settled: also where the \
                journal belongs to another home.\
                """,
                List.of("errand serve", "errand serve --http 127.0.0.1:7717")));
    spec.addOption(
        Specs.text(
            "ADDRESS", "listen on TCP as well; port 0 picks one, and a token is needed", "--http"));
    spec.addOption(Specs.flag("serve what is recorded, and run nothing", "--read-only"));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    throw new CliException(
        ExitCode.NO_DAEMON, "the daemon is started by the launcher; run: errand serve");
  }
}
