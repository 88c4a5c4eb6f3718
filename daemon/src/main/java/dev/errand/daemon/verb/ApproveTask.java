package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.Spawns;
import java.util.List;

/** Lets a held task run. */
public final class ApproveTask extends TaskChange<ApproveTask.Request> {
  private final Spawns spawns;

  public record Request(TaskId taskId) implements OfTask {
    @Override
    public List<String> words() {
      return List.of(taskId.value());
    }
  }

  ApproveTask(Verbs.Parts parts) {
    super("approve", new Access.Decides(Access.Target.TASK), parts.floor(), parts.work().views());
    this.spawns = parts.work().spawns();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) {
    var taskId = views().rowOf(request.taskId()).id();
    var by = ask.caller().principal();
    return views().view(submit(once, guard -> spawns.approve(taskId, by, guard)));
  }
}
