package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;

/** Shows the status of one task; for an ended task this is its result. */
public final class ShowTask extends Verb<ShowTask.Request, ShownTask> {
  private final TaskViews views;
  private final ShownTasks tasks;
  private final ResultReads reads;

  public record Request(TaskId taskId) implements OfTask {}

  ShowTask(Verbs.Parts parts) {
    super("show_task", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.views = parts.work().views();
    this.tasks = parts.shownTasks();
    this.reads = parts.work().reads();
  }

  @Override
  ShownTask answer(Ask ask, Request request) {
    var row = views.rowOf(request.taskId());
    ask.tells(reads, row);
    return tasks.of(row);
  }
}
