package dev.errand.daemon.verb;

import dev.errand.core.engine.IdempotentReply;
import dev.errand.core.engine.Outcome;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.TaskViews;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change of a task that answers with the task after it: its id and its last frame are remembered.
 */
abstract class TaskChange<Q extends Change.Request> extends Change<Q, TaskView> {
  private static final String TASK_ID = "task_id";
  private static final String SEQ = "seq";

  private final TaskViews views;

  TaskChange(String name, Access access, Floor floor, TaskViews views) {
    super(name, access, floor);
    this.views = views;
  }

  /** A request to change one existing task. */
  interface OfTask extends Change.Request, Verb.OfTask {}

  final TaskViews views() {
    return views;
  }

  /** Does something that commits its outcome with its effect. */
  final Snapshot submit(Once<TaskView> once, Function<@Nullable IdempotentReply, Outcome> action) {
    return once.submit(action, it -> remembered(it.taskId(), it.lastSeq()));
  }

  @Override
  final ObjectNode remembered(TaskView view) {
    return remembered(view.id(), view.facts().progress().lastSeq());
  }

  private static ObjectNode remembered(TaskId taskId, long seq) {
    return JsonNodeFactory.instance.objectNode().put(TASK_ID, taskId.value()).put(SEQ, seq);
  }

  @Override
  final TaskView again(JsonNode remembered) {
    var taskId = new TaskId(remembered.path(TASK_ID).stringValue(""));
    return views.view(taskId, remembered.path(SEQ).longValue());
  }
}
