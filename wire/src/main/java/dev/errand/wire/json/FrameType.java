package dev.errand.wire.json;

/** The {@code type} of each frame; a word that was once written keeps its meaning for ever. */
public final class FrameType {
  public static final String SPAWNED = "tool_task_spawned";
  public static final String ATTEMPT = "tool_task_attempt";

  /** Begun or over, by its {@code status}. */
  public static final String STATUS = "tool_task_status";

  public static final String OUTPUT_DELTA = "tool_task_output_delta";
  public static final String OUTPUT_MERGED = "tool_task_output_merged";
  public static final String OUTPUT_GAP = "output_gap";
  public static final String OUTPUT_LOST = "output_lost";

  /** Replaces a frame that cannot be read. */
  public static final String RECORD_DAMAGED = "record_damaged";

  public static final String STDIN_WRITTEN = "tool_task_stdin_written";
  public static final String SIGNALLED = "tool_task_signalled";
  public static final String RESIZED = "tool_task_resized";
  public static final String KILL_STEP = "tool_task_kill_step";
  public static final String LIMIT_PASSED = "tool_task_limit_passed";
  public static final String CANCEL_REQUESTED = "tool_task_cancel_requested";
  public static final String REQUEUED = "tool_task_requeued";
  public static final String ARTIFACT_WRITTEN = "artifact_written";
  public static final String CANCELLED = "tool_task_cancelled";
  public static final String APPROVED = "tool_task_approved";
  public static final String DENIED = "tool_task_denied";

  public static final String WATCHER_HIT = "tool_task_watcher_hit";
  public static final String WATCHER_SILENCED = "tool_task_watcher_silenced";
  public static final String READY = "tool_task_ready";
  public static final String PROMPT = "tool_task_prompt";

  /** In the session's stream, since there is no task. */
  public static final String REJECTED = "tool_task_rejected";

  public static final String TASK_RESULT_READ = "task_result_read";
  public static final String TASK_REMOVED = "task_removed";
  public static final String NOTICE_ACKNOWLEDGED = "notice_acknowledged";
  public static final String WEBHOOK_SET = "webhook_set";
  public static final String WEBHOOK_REMOVED = "webhook_removed";

  public static final String SESSION_ENDED = "session_ended";
  public static final String SESSION_OPENED = "session_opened";
  public static final String SESSION_FOLDER_SET = "session_folder_set";

  private FrameType() {}
}
