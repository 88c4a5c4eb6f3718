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
   * A task was refused, so it was never created. The digest is that of its arguments without the
   * values of variables; it is absent where they could not be read.
   *
   * @param rule what decided, if it was the policy
   * @param detail the text of the refusal, if it was anything else
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

  /** The session was ended: its tasks go on, and its results are kept for a limited time. */
  record SessionEnded(String by) implements SessionEvent {}

  /** The first task after an end. */
  record SessionOpened(String by) implements SessionEvent {}

  /**
   * The folder in which its tasks run from now on if nothing names another one: that of the first
   * task that named one, or of the first after the earlier folder was gone.
   */
  record FolderSet(String folder, String by) implements SessionEvent {}

  /** These notices were acknowledged and are not delivered again. */
  record NoticesAcknowledged(List<String> ids, String by) implements SessionEvent {
    public NoticesAcknowledged {
      ids = List.copyOf(ids);
    }
  }

  /**
   * Notices of this session are sent to that address from now on.
   *
   * @param events the sorts of events of its tasks that are sent too
   */
  record WebhookSet(String url, boolean ack, List<String> events, String by)
      implements SessionEvent {
    public WebhookSet {
      events = List.copyOf(events);
    }

    /** Of notices alone. */
    public WebhookSet(String url, boolean ack, String by) {
      this(url, ack, List.of(), by);
    }
  }

  /** The webhook was removed; the reason is absent if a caller asked for it. */
  record WebhookRemoved(@Nullable String reason, String by) implements SessionEvent {}
}
