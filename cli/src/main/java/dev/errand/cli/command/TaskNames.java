package dev.errand.cli.command;

import dev.errand.cli.render.TaskTable;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Finds a task by its full id, by its label (the newest live task, else the newest; the caller's
 * session first), or by a unique prefix of its id.
 */
final class TaskNames {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern PREFIX = Pattern.compile("[0-9a-f][0-9a-f-]{3,34}");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int MATCHES_SHOWN_MAX = 10;

  private final ErrandClient client;
  private final InstantSource clock;
  private final String session;

  TaskNames(ErrandClient client, InstantSource clock) {
    this(client, clock, "cli");
  }

  private TaskNames(ErrandClient client, InstantSource clock, String session) {
    this.client = client;
    this.clock = clock;
    this.session = session;
  }

  /** A label is searched in the session of new tasks first, then in all others. */
  static TaskNames of(ErrandClient client, Context context) {
    var session = context.environment().getOrDefault("ERRAND_SESSION_ID", "cli");
    return new TaskNames(client, context.clock(), session);
  }

  static PositionalParamSpec one() {
    return Specs.argument(0, "ID", help("the task"));
  }

  static PositionalParamSpec many() {
    return Specs.rest(0, true, "ID...", help("the tasks"));
  }

  static String help(String what) {
    return what + ": an id, the beginning of one (4 characters or more), or a label";
  }

  /** The id of the task of this name; fails with exit code 5 where there is not exactly one. */
  TaskId resolve(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    if (ID.matcher(lower).matches()) {
      return new TaskId(lower);
    }
    var labelled = LABEL.matcher(name).matches() ? labelled(name) : List.<TaskStatus>of();
    if (!labelled.isEmpty()) {
      return labelled.getFirst().taskId();
    }
    var matches = PREFIX.matcher(lower).matches() ? beginning(lower) : List.<TaskStatus>of();
    return switch (matches.size()) {
      case 0 ->
          throw new CliException(
              ExitCode.NO_TASK, "there is no task '" + name + "'; see: errand ls");
      case 1 -> matches.getFirst().taskId();
      default -> throw several(name, matches);
    };
  }

  List<TaskId> resolveAll(List<String> names) {
    return names.stream().map(this::resolve).distinct().toList();
  }

  private List<TaskStatus> labelled(String label) {
    var filter = TaskFilter.ALL.label(label).limit(1);
    var own = newest(filter, it -> it.session(session));
    return own.isEmpty() ? newest(filter, UnaryOperator.identity()) : own;
  }

  private List<TaskStatus> newest(TaskFilter filter, UnaryOperator<TaskFilter> where) {
    var live = client.list(where.apply(filter.active(true))).tasks();
    return live.isEmpty() ? client.list(where.apply(filter)).tasks() : live;
  }

  private List<TaskStatus> beginning(String prefix) {
    return client.list(TaskFilter.ALL.idPrefix(prefix).limit(MATCHES_SHOWN_MAX)).tasks();
  }

  private CliException several(String name, List<TaskStatus> matches) {
    var lines = TaskTable.of(matches, clock.instant()).lines(0, false);
    return new CliException(
        ExitCode.NO_TASK,
        "several task ids begin with '%s'; give more of the id:\n%s"
            .formatted(name, String.join("\n", lines)));
  }
}
