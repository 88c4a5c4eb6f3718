package dev.errand.cli.command;

import dev.errand.cli.render.Progress;
import dev.errand.cli.render.ShortIds;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskPage;
import dev.errand.wire.client.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand rm}: removes tasks that are over, with their output. */
final class RemoveCommand implements CliCommand {
  private static final String ENDED = "--ended";
  private static final int PAGE = 200;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "rm",
            new Specs.About(
                "Remove tasks that are over, with their output",
                "ID...  |  errand rm --ended",
                """
                For good: their frames and logs go, and only a note stays that they were there. A \
                running task is refused; cancel it first.\
                """,
                List.of("errand rm build", "errand rm --ended")));
    spec.addPositional(Specs.rest(0, false, "ID...", TaskNames.help("the tasks")));
    spec.addOption(Specs.flag("all tasks that are over", ENDED));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var given = Specs.positionals(parsed);
    if (Specs.has(parsed, ENDED) != given.isEmpty()) {
      throw new UsageException("no task to remove; give IDs, or --ended for all that are over");
    }
    try (var client = context.daemon().connect()) {
      var taskIds =
          given.isEmpty() ? ended(client) : TaskNames.of(client, context).resolveAll(given);
      remove(client, taskIds, parsed, context);
      if (given.isEmpty() && !Specs.has(parsed, Specs.JSON)) {
        context.console().print("removed " + taskIds.size() + " tasks");
      }
      return ExitCode.OK.number();
    }
  }

  /** All pages are read before the first removal, since a removal would shift them. */
  private static List<TaskId> ended(ErrandClient client) {
    var ids = new ArrayList<TaskId>();
    Optional<TaskPage> page = Optional.of(client.list(TaskFilter.ALL.active(false).limit(PAGE)));
    while (page.isPresent()) {
      page.get().tasks().stream().map(TaskStatus::taskId).forEach(ids::add);
      page = client.next(page.get());
    }
    return ids;
  }

  private static void remove(
      ErrandClient client, List<TaskId> taskIds, ParseResult parsed, Context context) {
    var all = Specs.has(parsed, ENDED);
    try (var progress = new Progress(context.console(), "removing")) {
      var done = 0;
      for (var taskId : taskIds) {
        removeOne(client, taskId, all);
        if (Specs.has(parsed, Specs.JSON)) {
          context.console().print(JsonLines.object(out -> out.text("removed", taskId.value())));
        } else if (!all) {
          context.console().print(ShortIds.of(taskId) + " removed");
        }
        progress.note(++done + " of " + taskIds.size());
      }
    }
  }

  private static void removeOne(ErrandClient client, TaskId taskId, boolean goneIsFine) {
    try {
      client.remove(taskId);
    } catch (ErrandException e) {
      // It was removed by another client, or by the clean-up.
      if (!goneIsFine || e.code() != ErrorCode.TASK_REMOVED) {
        throw e;
      }
    }
  }
}
