package dev.errand.core.frame;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;

/** Gives frames and states their text, the same in the store and on every wire. */
public interface FrameCodec {

  EncodedFrame encode(Frame frame);

  /** Reads a frame of a task's stream; fields that it does not know are skipped. */
  Frame.OfTask decodeTask(EncodedFrame frame);

  /** The status object of a task that stands so after its frame {@code lastSeq}. */
  byte[] status(TaskId taskId, TaskState.Present state, long lastSeq);

  /** The word for the state, by which lists are filtered. */
  String statusWord(TaskState.Present state);
}
