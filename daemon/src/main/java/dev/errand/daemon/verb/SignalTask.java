package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.Tasks;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.Locale;

/** Sends a signal to the processes of a task; answers when it is sent and recorded. */
public final class SignalTask extends TaskChange<SignalTask.Request> {
  public static final String SIGNAL = "signal";
  public static final List<String> NAMES =
      List.of("INT", "QUIT", "TERM", "HUP", "KILL", "USR1", "USR2", "STOP", "CONT");

  private static final int CHARS_MAX = 16;

  private final Tasks tasks;

  /** {@code signal} is its name without {@code SIG}. */
  public record Request(TaskId taskId, String signal) implements OfTask {
    public Request {
      if (!NAMES.contains(signal)) {
        throw new IllegalArgumentException("no signal of this name can be sent: " + signal);
      }
    }

    /** Reads the fields of a call; the name may have the prefix {@code SIG}. */
    public static Request read(TaskId taskId, RequestFields fields) {
      var upper = fields.requiredText(SIGNAL, CHARS_MAX).toUpperCase(Locale.ROOT);
      var name = upper.startsWith("SIG") ? upper.substring(3) : upper;
      if (!NAMES.contains(name)) {
        throw fields.refuse(SIGNAL, "one of " + String.join(", ", NAMES));
      }
      return new Request(taskId, name);
    }

    @Override
    public List<String> words() {
      return List.of(taskId.value(), signal);
    }
  }

  SignalTask(Verbs.Parts parts) {
    super("signal", new Access.Controls(Access.Target.TASK), parts.floor(), parts.work().views());
    this.tasks = parts.work().tasks();
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
