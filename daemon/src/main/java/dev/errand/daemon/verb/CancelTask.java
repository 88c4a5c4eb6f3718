package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Tasks;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.List;

/**
 * Asks for the end of a task; answers when that is recorded or, if requested, when the task is
 * over.
 */
public final class CancelTask extends TaskChange<CancelTask.Request> {
  public static final String REASON = "reason";
  private static final int REASON_CHARS_MAX = 1_000;

  private final Tasks tasks;
  private final ResultReads reads;

  /**
   * What is asked.
   *
   * @param reason the reason that frames show
   * @param patience how long to wait for its end
   */
  public record Request(TaskId taskId, String reason, Duration patience) implements OfTask {

    /** Without waiting for its end. */
    public Request(TaskId taskId, String reason) {
      this(taskId, reason, Duration.ZERO);
    }

    /** Reads the fields of a call. */
    public static Request read(TaskId taskId, RequestFields fields, Duration patience) {
      return new Request(taskId, reasonIn(fields), patience);
    }

    @Override
    public List<String> words() {
      return List.of(taskId.value(), reason);
    }
  }

  static String reasonIn(RequestFields fields) {
    var given = fields.text(REASON, REASON_CHARS_MAX);
    return given == null || given.isBlank() ? "cancel" : given;
  }

  CancelTask(Verbs.Parts parts) {
    super("cancel", new Access.Controls(Access.Target.TASK), parts.floor(), parts.work().views());
    this.tasks = parts.work().tasks();
    this.reads = parts.work().reads();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) {
    var taskId = views().rowOf(request.taskId()).id();
    var by = ask.caller().principal();
    return views().view(submit(once, guard -> tasks.cancel(taskId, request.reason(), by, guard)));
  }

  /** A repeat of a remembered cancel waits too. */
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
