package dev.errand.daemon.inbox;

import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskId;
import dev.errand.wire.http.Routes;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The call that tells more about the task of a notice: a tool of the family that started the task.
 *
 * @param action the argument {@code action}; absent for a tool that has none
 * @param idName the name of the argument that takes the id
 */
record NoticeFetch(TaskId taskId, String tool, @Nullable String action, String idName) {
  private static final String TASK_ID = "task_id";
  private static final String SHELL = "shell";

  /**
   * The call for a task that was spawned as this tool.
   *
   * @param background whether {@code background_task} launched it
   */
  static NoticeFetch of(Notice notice, String startedAs, boolean background) {
    var taskId = notice.subject().taskId();
    if (startedAs.equals(SHELL)) {
      return new NoticeFetch(taskId, SHELL, "poll", "run_id");
    }
    if (background) {
      return new NoticeFetch(taskId, "background_output", null, TASK_ID);
    }
    var ended = notice.kind() == Notice.Kind.ENDED;
    return new NoticeFetch(taskId, ended ? "task_output" : "task_status", null, TASK_ID);
  }

  /** The call as it stands in a text. */
  String text() {
    var first = action == null ? "" : "action: \"" + action + "\", ";
    return "%s(%s%s: \"%s\")".formatted(tool, first, idName, NoticeText.shortId(taskId));
  }

  /** The call with the whole id. */
  ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode().put("tool", tool);
    var arguments = json.putObject("arguments");
    if (action != null) {
      arguments.put("action", action);
    }
    arguments.put(idName, taskId.value());
    return json.put("http", "GET " + Routes.task(taskId));
  }
}
