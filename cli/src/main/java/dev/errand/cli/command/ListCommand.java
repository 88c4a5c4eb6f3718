package dev.errand.cli.command;

import dev.errand.cli.render.TaskTable;
import dev.errand.cli.terminal.WindowWidth;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand ls}: tasks, newest first. */
final class ListCommand implements CliCommand {
  private static final String ACTIVE = "--active";
  private static final String SESSION = "--session";
  private static final String STATUS = "--status";
  private static final String LABEL = "--label";
  private static final String BATCH = "--batch";
  private static final String LIMIT = "--limit";
  private static final String ALL = "--all";
  private static final String QUIET = "--quiet";
  private static final int LIMIT_DEFAULT = 30;
  private static final int PAGE_MAX = 200;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "ls",
            new Specs.About(
                "List tasks, newest first",
                "[OPTIONS]",
                "Without options the newest "
                    + LIMIT_DEFAULT
                    + " tasks. AGE is the time since the spawn, TIME how long it ran or"
                    + " has been running.",
                List.of(
                    "errand ls --active",
                    "errand ls --status failed,cancelled --limit 100",
                    "errand rm $(errand ls -q --label test --status exited)")));
    spec.addOption(Specs.flag("only tasks that are queued or running", "-a", ACTIVE));
    spec.addOption(Specs.text("ID", "only tasks of this session", SESSION));
    spec.addOption(
        Specs.text(
            "WORDS",
            "only these, separated by commas: queued,running,exited,failed,cancelled",
            STATUS));
    spec.addOption(Specs.text("LABEL", "only tasks of this label", LABEL));
    spec.addOption(Specs.text("NAME", "only tasks of this batch", BATCH));
    spec.addOption(Specs.count("N", "at most this many (default: " + LIMIT_DEFAULT + ")", LIMIT));
    spec.addOption(Specs.flag("all tasks, however many", ALL));
    spec.addOption(Specs.flag("print only ids", "-q", QUIET));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    var width = WindowWidth.ask(context.console().terminal(), context.environment());
    try (var client = context.daemon().connect()) {
      if (Specs.has(parsed, Specs.JSON)) {
        forEach(client, parsed, it -> context.console().print(it.text()));
      } else if (Specs.has(parsed, QUIET)) {
        forEach(client, parsed, it -> context.console().print(it.taskId().value()));
      } else {
        table(client, parsed, width, context);
      }
    }
    return ExitCode.OK.number();
  }

  private void table(ErrandClient client, ParseResult parsed, WindowWidth width, Context context)
      throws InterruptedException {
    var console = context.console();
    var tasks = new ArrayList<TaskStatus>();
    var more = forEach(client, parsed, tasks::add);
    if (tasks.isEmpty()) {
      console.say(
          "no tasks"
              + (parsed.matchedArgs().isEmpty()
                  ? "; start one: errand run -- PROGRAM"
                  : " like that"));
      return;
    }
    var columns = console.terminal().outIsTerminal() ? width.columns() : 0;
    TaskTable.of(tasks, context.clock().instant())
        .lines(columns, console.terminal().colour())
        .forEach(console::print);
    if (more && console.terminal().outIsTerminal()) {
      console.say("there are more: errand ls --all, or --limit N");
    }
  }

  private interface Sink {
    void accept(TaskStatus task);
  }

  /** Reads the pages; true if the limit left out tasks. */
  private static boolean forEach(ErrandClient client, ParseResult parsed, Sink sink) {
    var limit =
        Specs.has(parsed, ALL)
            ? Integer.MAX_VALUE
            : parsed.matchedOptionValue(LIMIT, LIMIT_DEFAULT);
    var left = limit;
    var page = Optional.of(client.list(filter(parsed).limit(Math.clamp(left, 1, PAGE_MAX))));
    while (page.isPresent()) {
      for (var task : page.get().tasks()) {
        if (left == 0) {
          return true;
        }
        sink.accept(task);
        left--;
      }
      page = client.next(page.get());
      if (left == 0) {
        return page.isPresent();
      }
    }
    return false;
  }

  private static TaskFilter filter(ParseResult parsed) {
    var filter = TaskFilter.ALL;
    if (Specs.has(parsed, ACTIVE)) {
      filter = filter.active(true);
    }
    if (parsed.hasMatchedOption(SESSION)) {
      filter = filter.session(parsed.matchedOptionValue(SESSION, ""));
    }
    if (parsed.hasMatchedOption(STATUS)) {
      filter = filter.status(parsed.matchedOptionValue(STATUS, ""));
    }
    if (parsed.hasMatchedOption(LABEL)) {
      filter = filter.label(parsed.matchedOptionValue(LABEL, ""));
    }
    if (parsed.hasMatchedOption(BATCH)) {
      filter = filter.batch(parsed.matchedOptionValue(BATCH, ""));
    }
    return filter;
  }
}
