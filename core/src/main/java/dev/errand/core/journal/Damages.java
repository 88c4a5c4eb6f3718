package dev.errand.core.journal;

import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.OptionalLong;

/** What a journal found damaged in itself. One that is kept in memory finds nothing. */
public interface Damages {

  /**
   * The first frame of the stream that was found damaged or gone, by this or an earlier look. It is
   * read as a frame that says so, and the frames around it as they are: seqs stay dense.
   */
  default OptionalLong damagedFrom(StreamKey stream) {
    return OptionalLong.empty();
  }

  /** How many streams have such a frame. */
  default int damagedStreams() {
    return 0;
  }

  /** Whether damage was found that the next start can mend. */
  default boolean isSuspect() {
    return false;
  }

  /** Looks through all that is kept, which takes a while; what it finds makes it suspect. */
  default void inspect() {}

  /** All that was lost and could be made anew has been, so this is not looked for again. */
  default void recovered() {}

  /** Tasks of which frames are left and the view row is not, after the journal was mended. */
  default List<TaskId> withoutRow() {
    return List.of();
  }
}
