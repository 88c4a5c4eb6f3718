package dev.errand.daemon.task;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import java.util.List;

/** Tells which processes may be of a task, or of another one that ran at the same time. */
public interface EscapedProcesses {
  List<TaskView.EscapedProcess> escapedFrom(TaskId taskId);
}
