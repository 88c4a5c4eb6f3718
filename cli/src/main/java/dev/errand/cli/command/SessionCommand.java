package dev.errand.cli.command;

import dev.errand.cli.render.Table;
import dev.errand.cli.render.Table.Cell;
import dev.errand.cli.render.Times;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand session}: lists, shows and ends sessions. */
final class SessionCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "session",
            new Specs.About(
                "List and show sessions, and end one",
                "ls  |  errand session show|end NAME",
                """
                A session begins with its first task. Tasks of one that is ended go on; what they \
                leave is removed a day later (tasks.orphan_ttl), read or not. The next task opens \
                it again.\
                """,
                List.of("errand session ls", "errand session end review-42")));
    spec.addPositional(Specs.argument(0, "ls|show|end", "what to do"));
    spec.addPositional(Specs.optional(1, "NAME", "the session"));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    try (var client = context.daemon().connect()) {
      var sessions = client.sessions();
      switch (words.getFirst()) {
        case "ls" -> show(sessions.list(), parsed, context);
        case "show" -> show(List.of(sessions.show(name(words))), parsed, context);
        case "end" -> sessions.end(name(words));
        default ->
            throw new UsageException(
                "unknown command '"
                    + words.getFirst()
                    + "' of errand session; use ls, show or end");
      }
    }
    return ExitCode.OK.number();
  }

  private static String name(List<String> words) {
    if (words.size() < 2) {
      throw new UsageException("errand session " + words.getFirst() + " needs a session's name");
    }
    return words.get(1);
  }

  private static void show(List<JsonFields> sessions, ParseResult parsed, Context context) {
    var console = context.console();
    if (Specs.has(parsed, Specs.JSON)) {
      sessions.forEach(it -> console.print(Json.text(it.node())));
      return;
    }
    if (sessions.isEmpty()) {
      console.say("no sessions; the first task of a session creates it");
      return;
    }
    var table = new Table("SESSION", "QUEUED", "RUNNING", "ENDED", "ACTIVE", "STATE", "FOLDER");
    sessions.forEach(it -> table.row(row(it, context.clock().instant())));
    table.lines(0, console.terminal().colour()).forEach(console::print);
  }

  private static List<Cell> row(JsonFields session, Instant now) {
    var tasks = session.object("tasks");
    var active = Instant.ofEpochMilli(session.number("last_activity_at_ms", 0));
    return List.of(
        Cell.of(SafeText.line(session.text("session_id"))),
        Cell.of(Long.toString(tasks.number("queued", 0))),
        Cell.of(Long.toString(tasks.number("running", 0))),
        Cell.of(Long.toString(tasks.number("ended", 0))),
        Cell.of(Times.span(Duration.between(active, now)) + " ago"),
        Cell.of(session.has("ended_at_ms") ? "ended" : "open"),
        Cell.of(SafeText.line(session.text("folder", "-"))));
  }
}
