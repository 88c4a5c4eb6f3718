package dev.errand.daemon.task;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import java.util.List;

/** The processes that may belong to a task, or to another one that ran at the same time. */
public interface EscapedProcesses {
  List<TaskView.EscapedProcess> escapedFrom(TaskId taskId);
}
