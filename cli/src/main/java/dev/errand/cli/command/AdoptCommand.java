package dev.errand.cli.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand adopt}: makes the journal in this home its own. */
final class AdoptCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    return Specs.verb(
        "adopt",
        new Specs.About(
            "Bind the journal to this home, and start the daemon",
            "",
            """
            For a home that was moved to another disk, for a copy of another home or of its \
            errand.db, or for an older errand.db from a backup: there the daemon refuses to start, \
            since tasks of the other home may run, or may be over by now. \
            Tasks that the journal has as running end as lost, and none of their processes is \
            touched; those that wait to be started, or may be started again, start here. To look \
            before: errand serve --read-only\
            """,
            List.of("errand adopt", "errand adopt --json")));
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    try (var client = context.daemon().adopt()) {
      UpCommand.tell(client, parsed, context);
      return ExitCode.OK.number();
    }
  }
}
