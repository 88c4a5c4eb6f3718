package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.LogStore;

/**
 * Opens the output of a task for a reader of many exact ranges. It is a part of other answers, so
 * it does not mark the result of the task as read.
 */
public final class OpenOutput extends Verb<OpenOutput.Request, TaskOutput> {
  private final LogStore logs;

  public record Request(TaskId taskId) implements OfTask {}

  OpenOutput(Verbs.Parts parts) {
    super("open_output", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.logs = parts.output().logs();
  }

  @Override
  TaskOutput answer(Ask ask, Request request) {
    return new TaskOutput(logs, request.taskId());
  }
}
