package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * The view row of a task: the columns for filters and the scheduler, and the folded status as text.
 * It changes in the same commit as the frames that it is folded from.
 *
 * @param statusText the encoded view; {@link dev.errand.core.frame.FrameCodec#readStatus} reads it
 * @param parent the task that asked for it, where one did
 */
@SuppressWarnings("ArrayRecordComponent") // The status text is shared and never changed.
public record TaskRow(
    TaskId id,
    SessionId sessionId,
    @Nullable String label,
    String kind,
    StatusWord status,
    boolean active,
    Lifetime lifetime,
    int foldVersion,
    byte[] statusText,
    @Nullable String batchId,
    @Nullable TaskId parent,
    Outcome outcome) {

  /** The fold version of a damaged row: its task must be folded again. */
  public static final int DAMAGED = -1;

  /** The same row with only its owner; all other columns are damaged, and its status is empty. */
  public TaskRow damaged() {
    byte[] empty = {'{', '}'};
    return new TaskRow(
        id,
        sessionId,
        label,
        kind,
        status,
        active,
        lifetime,
        DAMAGED,
        empty,
        batchId,
        parent,
        Outcome.NONE);
  }

  /** The same row, once its result was delivered. */
  public TaskRow readAt(long atMs) {
    var read = new Lifetime(lifetime.endedAtMs(), atMs, lifetime.bytesStored());
    return new TaskRow(
        id,
        sessionId,
        label,
        kind,
        status,
        active,
        read,
        foldVersion,
        statusText,
        batchId,
        parent,
        outcome);
  }

  /** Whether its process ended by itself with exit code 0. */
  public boolean isSuccess() {
    var code = outcome.exitCode();
    return status == StatusWord.EXITED && code != null && code == 0;
  }

  /** What retention looks at; a time of 0 is "not yet". */
  public record Lifetime(long endedAtMs, long readAtMs, long bytesStored) {
    public static final Lifetime LIVE = new Lifetime(0, 0, 0);
  }

  /**
   * The part of the result that other tasks depend on.
   *
   * @param exitCode absent while no process of it has ended for good
   */
  public record Outcome(@Nullable Integer exitCode, boolean cancelRequested) {
    public static final Outcome NONE = new Outcome(null, false);
  }
}
