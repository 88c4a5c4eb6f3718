package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.Tasks;
import dev.errand.wire.json.RequestFields;
import java.util.List;

/** Denies a held task, which is then over without having run. */
public final class DenyTask extends TaskChange<DenyTask.Request> {
  public static final String REASON = "reason";
  private static final int REASON_CHARS_MAX = 1_000;

  private final Tasks tasks;

  public record Request(TaskId taskId, String reason) implements OfTask {

    /** Reads the fields of a call. */
    public static Request read(TaskId taskId, RequestFields fields) {
      var given = fields.text(REASON, REASON_CHARS_MAX);
      return new Request(taskId, given == null || given.isBlank() ? "denied" : given);
    }

    @Override
    public List<String> words() {
      return List.of(taskId.value(), reason);
    }
  }

  DenyTask(Verbs.Parts parts) {
    super("deny", new Access.Decides(Access.Target.TASK), parts.floor(), parts.work().views());
    this.tasks = parts.work().tasks();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) {
    var taskId = views().rowOf(request.taskId()).id();
    var by = ask.caller().principal();
    return views().view(submit(once, guard -> tasks.deny(taskId, request.reason(), by, guard)));
  }
}
