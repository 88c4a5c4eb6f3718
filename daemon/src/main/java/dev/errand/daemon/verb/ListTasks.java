package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lists tasks, newest first: those that match a filter, or those whose ids start with a prefix. */
public final class ListTasks extends Verb<ListTasks.Request, ResultPage<ShownTask>> {
  private static final int PREFIX_MATCHES_MAX = 10;
  private static final Pattern ID_PREFIX = Pattern.compile("[0-9a-f-]{1,36}");

  private final Engine engine;
  private final Journal journal;
  private final ShownTasks tasks;

  /** Which tasks are wanted. */
  public sealed interface Request extends OfNothing {}

  /**
   * The tasks that match.
   *
   * @param after the cursor after which to start; null for the newest
   */
  public record Matching(Filter filter, @Nullable String after, int limit) implements Request {}

  /** The few tasks whose ids start with this prefix. */
  public record Beginning(String idPrefix) implements Request {}

  /**
   * The properties of a task; absent ones match all tasks.
   *
   * @param session whose own tasks match; absent: also the tasks that these started
   */
  public record Filter(
      @Nullable SessionId session,
      @Nullable String label,
      @Nullable String kind,
      Set<StatusWord> statuses,
      @Nullable Boolean active,
      @Nullable String batchId) {

    public Filter {
      statuses = Set.copyOf(statuses);
    }

    /** Any ended task, any live task, or any task. */
    public static Filter any(@Nullable Boolean active) {
      return new Filter(null, null, null, Set.of(), active, null);
    }

    /** The same for one batch. */
    public Filter inBatch(String id) {
      return new Filter(session, label, kind, statuses, active, id);
    }
  }

  ListTasks(Verbs.Parts parts) {
    super("list_tasks", new Access.Filtered(), parts.floor().authorizer());
    this.engine = parts.journaled().engine();
    this.journal = parts.journaled().journal();
    this.tasks = parts.shownTasks();
  }

  @Override
  ResultPage<ShownTask> answer(Ask ask, Request request) {
    return switch (request) {
      case Matching it -> matching(ask, it);
      case Beginning(var prefix) -> new ResultPage<>(beginning(reached(ask), prefix), null);
    };
  }

  private ResultPage<ShownTask> matching(Ask ask, Matching request) {
    var filter = request.filter();
    var query =
        new TaskQuery(
            filter.session(),
            filter.label(),
            filter.kind(),
            filter.statuses(),
            filter.active(),
            before(request.after()),
            ResultPage.toRead(request.limit()),
            filter.batchId(),
            false);
    var page =
        ResultPage.of(
            engine.rows(reached(ask).limit(query)), request.limit(), it -> it.id().value());
    return new ResultPage<>(tasks.of(page.items()), page.next());
  }

  private List<ShownTask> beginning(ReachFilter reached, String prefix) {
    if (!ID_PREFIX.matcher(prefix).matches()) {
      throw RequestFields.invalid(
          "id_prefix is the beginning of an id: up to 36 of 0-9, a-f and '-'");
    }
    var rows =
        journal.idsWithPrefix(prefix, PREFIX_MATCHES_MAX).stream()
            .flatMap(it -> engine.row(it).stream())
            .filter(reached::covers)
            .toList();
    return tasks.of(rows);
  }

  private static @Nullable TaskId before(@Nullable String cursor) {
    try {
      return cursor == null ? null : new TaskId(cursor);
    } catch (IllegalArgumentException _) {
      throw RequestFields.invalid(
          "invalid cursor of a list of tasks; use the one from the Link header");
    }
  }
}
