package dev.errand.daemon.tool;

import dev.errand.core.engine.Guard;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.ResultReads;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the way by which a call came lends to the tool: happening once, and a place to wait. */
public interface CallChannel {

  /**
   * To be given to a verb that commits: a repeat of this call is answered so, even if nobody heard
   * the first answer. Null where the call came without a key.
   */
  @Nullable Guard guard(Function<Snapshot, ToolResult> answer);

  /** Names an operation to the host, which answers a repeat from its own record. */
  String opId();

  /** The remembered answer is kept at least as long as this task. */
  void concerns(TaskId taskId);

  /**
   * Taken while waiting: it is refused where too many wait, and interrupted when the door shuts.
   */
  Slot slot();

  /**
   * To be done when the call is answered, or cannot be, the newest first: a caller who waits may be
   * gone before its answer is there.
   */
  void afterAnswer(ResultReads.Answered then);

  /** A place of one who waits. */
  interface Slot extends AutoCloseable {
    @Override
    void close();
  }
}
