package dev.errand.core.engine;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskState;
import java.util.List;

/**
 * Receives everything that was committed, in the order of each stream. It is called while the
 * stream is held, so it must be quick, must not block and must not submit commands itself.
 */
public interface CommitListener {

  /** These frames of a stream are committed. */
  void advanced(StreamKey stream, List<EncodedFrame> frames);

  /** A task moved from one state to the next; called after {@link #advanced}. */
  default void moved(Snapshot before, Snapshot after) {}

  /**
   * The same move, with the notices of it that are in its session's inbox now, often none; called
   * after {@link #moved}.
   */
  default void noticed(Snapshot before, Snapshot after, List<Notice> notices) {}

  /** Output of a task is stored and readable, and its frames are to come later. */
  default void stored(Snapshot now) {}

  /** A task is gone for good, with everything that it kept. */
  default void removed(Snapshot last, TaskState.Ended state) {}
}
