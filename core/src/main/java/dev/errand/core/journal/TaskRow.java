package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * The view row of a task: what lists filter by and schedulers ask, and its folded status as text.
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

  /** The fold version of a row that was damaged, so that its task has to be folded anew. */
  public static final int DAMAGED = -1;

  /** The same row, of which nothing but whose it is can be believed; its status has no field. */
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
   * What others do next depends on.
   *
   * @param exitCode absent while no process of it has ended for good
   */
  public record Outcome(@Nullable Integer exitCode, boolean cancelRequested) {
    public static final Outcome NONE = new Outcome(null, false);
  }
}
