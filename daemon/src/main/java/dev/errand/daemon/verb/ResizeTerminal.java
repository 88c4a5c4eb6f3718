package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.Tasks;
import java.util.List;

/** Gives the terminal of a task another size; answers when it has it and that is recorded. */
public final class ResizeTerminal extends TaskChange<ResizeTerminal.Request> {
  private final Tasks tasks;

  public record Request(TaskId taskId, TerminalSize size) implements OfTask {
    @Override
    public List<String> words() {
      return List.of(taskId.value(), size.rows() + "x" + size.cols());
    }
  }

  ResizeTerminal(Verbs.Parts parts) {
    super("resize", new Access.Controls(Access.Target.TASK), parts.floor(), parts.views());
    this.tasks = parts.tasks();
  }

  @Override
  TaskView change(Ask ask, Request request, Once<TaskView> once) throws InterruptedException {
    var taskId = views().rowOf(request.taskId()).id();
    once.concerns(taskId);
    var by = ask.caller().principal();
    tasks.resize(taskId, new CommandRunner.ResizeRequest(once.opId(), request.size(), by));
    return views().view(taskId);
  }
}
