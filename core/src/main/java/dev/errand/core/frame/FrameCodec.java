package dev.errand.core.frame;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;

/** Encodes frames and states as text, in the same form for the store and for every surface. */
public interface FrameCodec {

  /**
   * Encodes a frame; {@code after} is the state of the task after it. The state supplies values
   * that the event lacks, such as the totals in a terminal frame; these are not read back.
   */
  EncodedFrame encode(Frame.OfTask frame, TaskState.Present after);

  EncodedFrame encode(Frame.OfSession frame);

  /**
   * Reads a frame of a task's stream. Unknown fields are skipped, and an unknown event becomes
   * {@link dev.errand.core.task.TaskEvent.Unknown}.
   */
  Frame.OfTask decodeTask(EncodedFrame frame);

  /** The status object of a task. */
  byte[] status(TaskView view);

  /** Decodes a stored status object. */
  TaskView readStatus(byte[] status);
}
