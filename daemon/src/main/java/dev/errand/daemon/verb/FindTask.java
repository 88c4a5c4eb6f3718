package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds a task by its id, the start of its id, or its label, among the tasks in the caller's reach.
 * All others appear not to exist. Finding a task does not count as reading its result, unless the
 * answer shows it.
 */
public final class FindTask extends Verb<FindTask.Request, ShownTask> {
  private static final Pattern PREFIX = Pattern.compile("[0-9a-f-]{4,36}");

  /** How many tasks are read; a prefix that more tasks share is ambiguous anyway. */
  private static final int PREFIX_MATCHES_MAX = 1_000;

  /** So many of the tasks that share a prefix are named. */
  private static final int SHOWN_MAX = 5;

  private final Engine engine;
  private final Journal journal;
  private final FrameCodec codec;
  private final TaskViews views;
  private final ShownTasks tasks;
  private final ResultReads reads;

  /**
   * The name of a task: one of the two, unless both mean the same task.
   *
   * @param id the whole id, or a prefix of it that only one task in reach has
   * @param label names the newest live task of that label in the session, else the newest
   */
  public record Request(@Nullable String id, @Nullable String label) implements OfNothing {
    public static Request byId(String id) {
      return new Request(id, null);
    }
  }

  FindTask(Verbs.Parts parts) {
    super("find_task", new Access.Filtered(), parts.floor().authorizer());
    this.engine = parts.journaled().engine();
    this.journal = parts.journaled().journal();
    this.codec = parts.journaled().codec();
    this.views = parts.work().views();
    this.tasks = parts.shownTasks();
    this.reads = parts.work().reads();
  }

  @Override
  ShownTask answer(Ask ask, Request request) {
    return tasks.of(find(ask, request));
  }

  /** The task that an id or a prefix of one means in this call. */
  public ShownTask byId(Ask ask, String id) throws InterruptedException {
    return run(ask, Request.byId(id));
  }

  /** The same for an answer with its status: for an ended task this is its result. */
  public ShownTask showById(Ask ask, String id) {
    check(ask, "");
    var row = find(ask, Request.byId(id));
    ask.tells(reads, row);
    return tasks.of(row);
  }

  /**
   * The task of this id that the caller itself started, in any session. For a caller that is
   * limited to one session {@link #run} finds all of them.
   */
  public Optional<ShownTask> startedByCaller(Ask ask, String id) {
    check(ask, "");
    if (ask.caller().isKept()) {
      return Optional.empty();
    }
    var by = ask.caller().principal();
    return taskId(id).flatMap(it -> startedBy(by, it)).map(tasks::of);
  }

  private Optional<TaskRow> startedBy(String by, TaskId taskId) {
    if (journal.tombstone(taskId).filter(it -> by.equals(it.spawnedBy())).isPresent()) {
      // For a removed task, the view says when and why it was removed.
      return Optional.of(views.rowOf(taskId));
    }
    return engine
        .row(taskId)
        .filter(it -> new DecodedFrames(journal, codec, it.id()).spec().origin().by().equals(by));
  }

  private TaskRow find(Ask ask, Request request) {
    var id = request.id();
    var label = request.label();
    if (id != null) {
      var row = byId(reached(ask), id);
      if (label != null && !byLabel(ask, label).id().equals(row.id())) {
        throw RequestFields.invalid("task_id and label name two tasks; give one of them");
      }
      return row;
    }
    if (label == null) {
      throw RequestFields.invalid("name the task by task_id or label");
    }
    return byLabel(ask, label);
  }

  private TaskRow byId(ReachFilter reached, String text) {
    var exact = exact(reached, text);
    if (exact.isPresent()) {
      return exact.get();
    }
    if (!PREFIX.matcher(text).matches()) {
      throw unknown();
    }
    var ids = journal.idsWithPrefix(text, PREFIX_MATCHES_MAX);
    var rows = ids.stream().flatMap(it -> row(reached, it).stream()).limit(SHOWN_MAX + 1).toList();
    if (rows.size() > 1) {
      throw RequestFields.invalid(ambiguous(text, rows));
    }
    if (ids.size() == PREFIX_MATCHES_MAX) {
      throw RequestFields.invalid(text + " is too short to find a task by; give more of the id");
    }
    if (rows.isEmpty()) {
      throw unknown();
    }
    return rows.getFirst();
  }

  /** Names the tasks that a prefix may mean. */
  private String ambiguous(String prefix, List<TaskRow> rows) {
    var shown =
        rows.stream()
            .limit(SHOWN_MAX)
            .map(it -> {
              var label = views.view(it).facts().origin().label();
              return it.id().value() + (label == null ? "" : " (\"" + label + "\")");
            })
            .toList();
    return "several task ids start with %s: %s%s; give more of the id"
        .formatted(prefix, String.join(", ", shown), rows.size() > SHOWN_MAX ? " and more" : "");
  }

  private Optional<TaskRow> exact(ReachFilter reached, String text) {
    return taskId(text).flatMap(it -> exact(reached, it));
  }

  private Optional<TaskRow> exact(ReachFilter reached, TaskId taskId) {
    var row = row(reached, taskId);
    // For a removed task, the view says when and why it was removed.
    return row.isEmpty() && reached.covers(taskId) ? Optional.of(views.rowOf(taskId)) : row;
  }

  private static Optional<TaskId> taskId(String text) {
    try {
      return Optional.of(new TaskId(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private Optional<TaskRow> row(ReachFilter reached, TaskId taskId) {
    return engine.row(taskId).filter(reached::covers);
  }

  private TaskRow byLabel(Ask ask, String label) {
    return views
        .labelled(ask.session(), label)
        .orElseThrow(() ->
            new ErrandException(
                ErrorCode.TASK_NOT_FOUND,
                "there is no task of this label in session " + ask.session().value()));
  }

  private static ErrandException unknown() {
    return new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
  }
}
