package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.Tasks;
import java.util.List;

/** Sends a signal to the processes of a task; answers when it is sent and recorded. */
public final class SignalTask extends TaskChange<SignalTask.Request> {
  private final Tasks tasks;

  /** {@code signal} is its name without {@code SIG}. */
  public record Request(TaskId taskId, String signal) implements OfTask {
    @Override
    public List<String> words() {
      return List.of(taskId.value(), signal);
    }
  }

  SignalTask(Verbs.Parts parts) {
    super("signal", new Access.Controls(Access.Target.TASK), parts.floor(), parts.views());
    this.tasks = parts.tasks();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) throws InterruptedException {
    var taskId = views().rowOf(request.taskId()).id();
    once.concerns(taskId);
    var by = ask.caller().principal();
    tasks.signal(taskId, new CommandRunner.SignalRequest(once.opId(), request.signal(), by));
    return views().view(taskId);
  }
}
