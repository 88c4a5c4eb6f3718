package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Tasks;
import java.time.Duration;
import java.util.List;

/** Asks for the end of a task; answers when that is recorded, or later, when it is over. */
public final class CancelTask extends TaskChange<CancelTask.Request> {
  private final Tasks tasks;
  private final ResultReads reads;

  /**
   * What is asked.
   *
   * @param reason why, as frames show it
   * @param patience how long its end is waited for
   */
  public record Request(TaskId taskId, String reason, Duration patience) implements OfTask {

    /** Without waiting for its end. */
    public Request(TaskId taskId, String reason) {
      this(taskId, reason, Duration.ZERO);
    }

    @Override
    public List<String> words() {
      return List.of(taskId.value(), reason);
    }
  }

  CancelTask(Verbs.Parts parts) {
    super("cancel", new Access.Controls(Access.Target.TASK), parts.floor(), parts.views());
    this.tasks = parts.tasks();
    this.reads = parts.reads();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) {
    var taskId = views().rowOf(request.taskId()).id();
    var by = ask.caller().principal();
    return views().view(submit(once, guard -> tasks.cancel(taskId, request.reason(), by, guard)));
  }

  /** Whoever repeats a cancel that was remembered long ago waits just as well. */
  @Override
  TaskView finish(Ask ask, Request request, TaskView view) throws InterruptedException {
    if (!request.patience().isPositive()) {
      return view;
    }
    try (var _ = ask.slot()) {
      tasks.awaitEnd(request.taskId(), request.patience());
    }
    var row = views().rowOf(request.taskId());
    ask.tells(reads, row);
    return views().view(row);
  }
}
