package dev.errand.daemon.verb;

import dev.errand.core.task.CwdFrom;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;

/** A task as it was accepted, and what decided in which folder it runs. */
public record AcceptedTask(TaskView view, CwdFrom cwdFrom) {
  public TaskId id() {
    return view.id();
  }
}
