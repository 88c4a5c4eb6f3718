package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.wire.client.EventStream;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand events}: prints the recorded frames. */
final class EventsCommand implements CliCommand {
  private static final String FOLLOW = "--follow";
  private static final String AFTER = "--after";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "events",
            new Specs.About(
                "Print the recorded frames of a task, or of all, as JSON lines",
                "[ID] [OPTIONS]",
                "A frame is one recorded event of a task; it never changes.",
                List.of("errand events web", "errand events -f | jq -c '{task_id, type}'")));
    spec.addPositional(Specs.optional(0, "ID", TaskNames.help("the task")));
    spec.addOption(Specs.flag("print new frames as they come", "-f", FOLLOW));
    spec.addOption(Specs.count("SEQ", "only frames after this one; needs an ID", AFTER));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var follow = Specs.has(parsed, FOLLOW);
    var names = Specs.positionals(parsed);
    if (names.isEmpty() && parsed.hasMatchedOption(AFTER)) {
      throw new UsageException("--after needs the ID of a task");
    }
    try (var client = context.daemon().connect()) {
      if (names.isEmpty()) {
        print(follow ? client.allEvents(null) : client.allHistory(null), context.console());
        return ExitCode.OK.number();
      }
      var taskId = TaskNames.of(client, context).resolve(names.getFirst());
      long after = parsed.matchedOptionValue(AFTER, -1);
      print(
          follow ? client.events(taskId, after) : client.history(taskId, after), context.console());
      return ExitCode.OK.number();
    }
  }

  private static void print(EventStream events, Console console) {
    try (events) {
      for (var frame = events.next(); frame != null; frame = events.next()) {
        console.print(frame.text());
      }
    }
  }
}
