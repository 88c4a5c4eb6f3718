package dev.errand.core.session;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that happened in a session and belongs to no task's own stream. */
public sealed interface SessionEvent {

  /** A task's end was delivered for the first time; from now on its retention counts. */
  record ResultRead(TaskId taskId, String by) implements SessionEvent {}

  /**
   * A task was refused, so it never came to be. The digest is that of its arguments without the
   * values of variables; it is absent where they could not be read.
   *
   * @param rule what decided, where it was the policy
   * @param detail the words of the refusal, where it was anything else
   * @param unrecorded how many refusals before this one were too many to be recorded
   */
  record TaskRejected(
      String toolName,
      @Nullable String argsDigest,
      ErrorCode code,
      @Nullable String rule,
      @Nullable String justification,
      String by,
      @Nullable String detail,
      long unrecorded)
      implements SessionEvent {

    /** One by the policy. */
    public TaskRejected(
        String toolName,
        String argsDigest,
        ErrorCode code,
        String rule,
        @Nullable String justification,
        String by) {
      this(toolName, argsDigest, code, rule, justification, by, null, 0);
    }
  }

  /** A task, its logs and its frames are gone; only a tombstone is left. */
  record TaskRemoved(TaskId taskId, String reason, String by) implements SessionEvent {}

  /** Nobody is interested any more: its tasks go on, and its results stay for a time only. */
  record SessionEnded(String by) implements SessionEvent {}

  /** The first task after an end. */
  record SessionOpened(String by) implements SessionEvent {}

  /** Someone has taken note of these; they are delivered no more. */
  record NoticesAcknowledged(List<String> ids, String by) implements SessionEvent {
    public NoticesAcknowledged {
      ids = List.copyOf(ids);
    }
  }

  /** Notices of this session are sent to that address from now on. */
  record WebhookSet(String url, boolean ack, String by) implements SessionEvent {}

  /** Notices are sent nowhere any more; the reason is absent where someone just asked for it. */
  record WebhookRemoved(@Nullable String reason, String by) implements SessionEvent {}
}
