package dev.errand.daemon.task;

import dev.errand.core.task.TaskId;
import java.util.List;

/** Tells which processes may be of a task, or of another one that ran at the same time. */
public interface EscapedProcesses {
  List<Escaped> escapedFrom(TaskId taskId);

  /** One of them, by its pid and the name of its program. */
  record Escaped(long pid, String name) {}
}
