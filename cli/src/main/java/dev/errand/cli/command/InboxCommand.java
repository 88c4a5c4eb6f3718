package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.SafeText;
import dev.errand.core.task.SessionId;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.EventStream;
import dev.errand.wire.client.InboxClient;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand inbox}: prints the notices of a session. */
final class InboxCommand implements CliCommand {
  static final String SESSION = "--session";

  private static final String DEFAULT_SESSION = "cli";
  private static final String FOLLOW = "--follow";
  private static final String ACK = "--ack";
  private static final String ALL = "--all";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "inbox",
            new Specs.About(
                "Print the unacknowledged notices of a session about its tasks",
                "[OPTIONS]",
                """
                A notice stays until it is acknowledged: here with --ack, by a webhook, or when its \
                own session reads the result of its task. At the command line that is the session \
                cli, and in a task the session of the task; reading for others acknowledges \
                nothing.\
                """,
                List.of(
                    "errand inbox --ack",
                    "errand inbox -f --session build",
                    "errand inbox --json | jq -r .text")));
    spec.addOption(Specs.flag("print new notices as they come", "-f", FOLLOW));
    spec.addOption(Specs.flag("acknowledge each notice once it is printed", ACK));
    spec.addOption(Specs.flag("print acknowledged ones too", ALL));
    spec.addOption(session());
    return spec;
  }

  static OptionSpec session() {
    return Specs.text(
        "ID", "the session (default: $ERRAND_SESSION_ID, else " + DEFAULT_SESSION + ")", SESSION);
  }

  /** The named session, or that of the task in which this runs, or that of the command line. */
  static SessionId session(ParseResult parsed, Context context) {
    var own = context.environment().getOrDefault("ERRAND_SESSION_ID", "");
    try {
      return new SessionId(
          parsed.matchedOptionValue(SESSION, own.isEmpty() ? DEFAULT_SESSION : own));
    } catch (IllegalArgumentException e) {
      throw new UsageException(SESSION + ": " + e.getMessage());
    }
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var follow = Specs.has(parsed, FOLLOW);
    var all = Specs.has(parsed, ALL);
    if (follow && all) {
      throw new UsageException("-f prints unacknowledged notices only; leave out --all");
    }
    try (var client = context.daemon().connect()) {
      var inbox = client.inbox(session(parsed, context));
      try (var notices = follow ? inbox.follow(null) : inbox.now(all)) {
        var count = print(notices, inbox, parsed, context.console());
        if (count == 0) {
          context.console().say("no notices");
        }
      }
    }
    return ExitCode.OK.number();
  }

  private static int print(
      EventStream notices, InboxClient inbox, ParseResult parsed, Console console) {
    var count = 0;
    for (var notice = notices.next(); notice != null; notice = notices.next()) {
      console.print(Specs.has(parsed, Specs.JSON) ? notice.text() : text(notice));
      count++;
      if (Specs.has(parsed, ACK)) {
        inbox.acknowledge(List.of(notice.fields().text("id")));
      }
    }
    return count;
  }

  /** With an empty line after it, since a notice has several lines. */
  private static String text(EventFrame notice) {
    return SafeText.block(notice.fields().text("text", "")) + "\n";
  }
}
