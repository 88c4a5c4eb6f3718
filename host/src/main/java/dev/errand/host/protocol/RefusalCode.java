package dev.errand.host.protocol;

/** Why the host refuses; the codes are part of the protocol and only added to. */
public final class RefusalCode {
  public static final String BAD_REQUEST = "bad_request";
  public static final String ENDED = "ended";
  public static final String FORGOTTEN = "forgotten";
  public static final String INTERNAL = "internal";
  public static final String LINE_TOO_LONG = "line_too_long";
  public static final String NO_STDIN = "NO_STDIN";
  public static final String NO_TERMINAL = "no_terminal";
  public static final String NOT_STARTED = "not_started";
  public static final String OTHER_JOURNAL = "other_journal";
  public static final String SHUTTING_DOWN = "shutting_down";
  public static final String STARTED = "started";
  public static final String STDIN_CLOSED = "STDIN_CLOSED";
  public static final String STDIN_FULL = "STDIN_FULL";
  public static final String TASKS_RUNNING = "tasks_running";
  public static final String UNKNOWN_TASK = "unknown_task";

  private RefusalCode() {}
}
