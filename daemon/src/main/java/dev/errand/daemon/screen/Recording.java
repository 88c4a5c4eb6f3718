package dev.errand.daemon.screen;

import dev.errand.core.frame.Frame;
import dev.errand.core.task.TaskId;
import java.util.List;

/** What was recorded of tasks, in order. */
interface Recording {

  /** Frames of a task after that one, at most {@code limit}. */
  List<Frame.OfTask> frames(TaskId taskId, long afterSeq, int limit);

  /** The seq of the task's last frame; -1 where there is none. */
  long lastSeq(TaskId taskId);
}
