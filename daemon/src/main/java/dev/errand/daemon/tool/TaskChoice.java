package dev.errand.daemon.tool;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Reach;
import dev.errand.daemon.verb.CancelTask;
import dev.errand.wire.json.RequestFields;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the task that a call means, among those that it reaches: the tasks of its session and what
 * these have started. All others look as if they were not there.
 */
public final class TaskChoice {
  private static final Pattern PREFIX = Pattern.compile("[0-9a-f-]{4,36}");

  /** A beginning that so many have says nothing. */
  private static final int PREFIX_MATCHES_MAX = 1_000;

  private final ToolServices.OfTasks tasks;
  private final CancelTask cancel;

  TaskChoice(ToolServices.OfTasks tasks, CancelTask cancel) {
    this.tasks = tasks;
    this.cancel = cancel;
  }

  /** Exactly one of them selects, unless both mean the same task. */
  public TaskRow one(ToolCall call, @Nullable String taskId, @Nullable String label) {
    if (taskId == null && label == null) {
      throw RequestFields.invalid("say which task: task_id or label");
    }
    if (taskId == null) {
      return byLabel(call, label == null ? "" : label);
    }
    var row = byId(call, taskId);
    if (label != null && !byLabel(call, label).id().equals(row.id())) {
      throw RequestFields.invalid("task_id and label name two tasks; give one of them");
    }
    return row;
  }

  /** By the whole id, or by the beginning of it if only one task in reach begins so. */
  public TaskRow byId(ToolCall call, String text) {
    var exact = exact(call, text);
    if (exact.isPresent()) {
      return exact.get();
    }
    if (!PREFIX.matcher(text).matches()) {
      throw unknown();
    }
    var ids = tasks.journal().idsWithPrefix(text, PREFIX_MATCHES_MAX);
    var rows = ids.stream().flatMap(it -> reached(call, it).stream()).limit(2).toList();
    if (rows.size() > 1 || ids.size() == PREFIX_MATCHES_MAX) {
      throw RequestFields.invalid("several tasks begin with " + text + "; give more of the id");
    }
    if (rows.isEmpty()) {
      throw unknown();
    }
    return rows.getFirst();
  }

  private Optional<TaskRow> exact(ToolCall call, String text) {
    try {
      var taskId = new TaskId(text);
      var row = reached(call, taskId);
      // Of one that was removed, the view says when, and why.
      return row.isEmpty() && Reach.covers(tasks.journal(), call.session(), taskId)
          ? Optional.of(tasks.views().rowOf(taskId))
          : row;
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private Optional<TaskRow> reached(ToolCall call, TaskId taskId) {
    return tasks
        .journal()
        .row(taskId)
        .filter(it -> Reach.covers(tasks.journal(), call.session(), it));
  }

  /** The newest live task of that label in the session, else the newest. */
  public TaskRow byLabel(ToolCall call, String label) {
    return tasks
        .views()
        .labelled(call.session(), label)
        .orElseThrow(() ->
            new ErrandException(
                ErrorCode.TASK_NOT_FOUND,
                "there is no task of this label in session " + call.session().value()));
  }

  /** The same as {@link #byId}, for a call that lays hands on the task. */
  public TaskRow toControl(ToolCall call, String text) {
    var row = byId(call, text);
    checkControl(call, row);
    return row;
  }

  /** Refuses a call by somebody who may only look at this task. */
  public void checkControl(ToolCall call, TaskRow row) {
    cancel.check(call.ask(), row.id().value());
  }

  private static ErrandException unknown() {
    return new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
  }
}
