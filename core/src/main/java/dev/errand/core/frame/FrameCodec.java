package dev.errand.core.frame;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;

/** Gives frames and states their text, the same in the store and on every wire. */
public interface FrameCodec {

  /**
   * The frame of a task that stands so after it. The state tells what the event alone does not,
   * such as the totals in a terminal frame; none of that is read back.
   */
  EncodedFrame encode(Frame.OfTask frame, TaskState.Present after);

  EncodedFrame encode(Frame.OfSession frame);

  /**
   * Reads a frame of a task's stream. Fields that it does not know are skipped, and an event that
   * it does not know becomes {@link dev.errand.core.task.TaskEvent.Unknown}.
   */
  Frame.OfTask decodeTask(EncodedFrame frame);

  /** The status object of a task. */
  byte[] status(TaskView view);

  /** The view that a stored status object was made of. */
  TaskView readStatus(byte[] status);
}
