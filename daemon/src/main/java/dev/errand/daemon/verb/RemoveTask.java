package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Removes an ended task permanently, with its frames and logs. */
public final class RemoveTask extends Change<RemoveTask.Request, RemoveTask.Removed> {
  private static final String TASK_ID = "task_id";

  private final Tasks tasks;
  private final TaskViews views;

  public record Request(TaskId taskId, String reason) implements TaskChange.OfTask {
    @Override
    public List<String> words() {
      return List.of(taskId.value(), reason);
    }
  }

  public record Removed(TaskId taskId) {}

  RemoveTask(Verbs.Parts parts) {
    super("remove", new Access.Controls(Access.Target.TASK), parts.floor());
    this.tasks = parts.work().tasks();
    this.views = parts.work().views();
  }

  @Override
  Removed change(Ask ask, Request request, Once<Removed> once) {
    var taskId = views.rowOf(request.taskId()).id();
    var by = ask.caller().principal();
    once.submit(
        guard -> tasks.remove(taskId, request.reason(), by, guard), it -> remembered(it.taskId()));
    return new Removed(taskId);
  }

  @Override
  ObjectNode remembered(Removed removed) {
    return remembered(removed.taskId());
  }

  private static ObjectNode remembered(TaskId taskId) {
    return JsonNodeFactory.instance.objectNode().put(TASK_ID, taskId.value());
  }

  @Override
  Removed again(JsonNode remembered) {
    return new Removed(new TaskId(remembered.path(TASK_ID).stringValue("")));
  }
}
