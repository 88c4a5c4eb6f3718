package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.Tasks;
import dev.errand.wire.json.RequestFields;
import java.util.List;

/** Changes the size of a task's terminal; answers when that is done and recorded. */
public final class ResizeTerminal extends TaskChange<ResizeTerminal.Request> {
  public static final List<String> FIELDS = List.of("rows", "cols");

  private final Tasks tasks;

  public record Request(TaskId taskId, TerminalSize size) implements OfTask {

    /** Reads the fields of a call. */
    public static Request read(TaskId taskId, RequestFields fields) {
      return new Request(taskId, new TerminalSize(side(fields, "rows"), side(fields, "cols")));
    }

    private static int side(RequestFields fields, String name) {
      var side = fields.integer(name, TerminalSize.MIN, TerminalSize.MAX);
      if (side == null) {
        throw RequestFields.invalid("the field " + name + " is missing; a size has rows and cols");
      }
      return side.intValue();
    }

    @Override
    public List<String> words() {
      return List.of(taskId.value(), size.rows() + "x" + size.cols());
    }
  }

  ResizeTerminal(Verbs.Parts parts) {
    super("resize", new Access.Controls(Access.Target.TASK), parts.floor(), parts.work().views());
    this.tasks = parts.work().tasks();
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
