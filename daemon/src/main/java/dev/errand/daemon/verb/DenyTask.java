package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.Tasks;
import java.util.List;

/** Refuses a held task, which so is over before it ran. */
public final class DenyTask extends TaskChange<DenyTask.Request> {
  private final Tasks tasks;

  public record Request(TaskId taskId, String reason) implements OfTask {
    @Override
    public List<String> words() {
      return List.of(taskId.value(), reason);
    }
  }

  DenyTask(Verbs.Parts parts) {
    super("deny", new Access.Decides(Access.Target.TASK), parts.floor(), parts.views());
    this.tasks = parts.tasks();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) {
    var taskId = views().rowOf(request.taskId()).id();
    var by = ask.caller().principal();
    return views().view(submit(once, guard -> tasks.deny(taskId, request.reason(), by, guard)));
  }
}
