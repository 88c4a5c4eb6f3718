package dev.errand.core.error;

/** What went wrong, as a stable code: codes are only added, never renamed or removed. */
public enum ErrorCode {
  INVALID_REQUEST(Kind.INVALID, false),
  UNAUTHENTICATED(Kind.UNAUTHENTICATED, false),
  FORBIDDEN(Kind.FORBIDDEN, false),
  /** The policy does not let this caller run this; the answer says which rule decided. */
  POLICY_DENIED(Kind.FORBIDDEN, false),
  /** The policy would allow it with a justification. */
  JUSTIFICATION_REQUIRED(Kind.FORBIDDEN, false),
  NOT_FOUND(Kind.MISSING, false),
  METHOD_NOT_ALLOWED(Kind.METHOD, false),
  TASK_NOT_FOUND(Kind.MISSING, false),
  ARTIFACT_NOT_FOUND(Kind.MISSING, false),
  /** The stored bytes do not match the digest: they were changed on disk. */
  ARTIFACT_DAMAGED(Kind.DAEMON, false),
  TOKEN_NOT_FOUND(Kind.MISSING, false),
  TOKEN_EXISTS(Kind.CONFLICT, false),
  /** The task was removed; its tombstone says when and why. */
  TASK_REMOVED(Kind.GONE, false),
  /** The bytes asked for were dropped by the output cap; the answer names the next offset. */
  OUTPUT_DROPPED(Kind.GONE, false),
  /** The bytes asked for are missing on the disk or changed; the answer names their range. */
  OUTPUT_DAMAGED(Kind.DAEMON, false),
  TASK_ENDED(Kind.CONFLICT, false),
  TASK_NOT_ENDED(Kind.CONFLICT, true),
  TASK_NOT_RUNNING(Kind.CONFLICT, true),
  /** The task waits for no approval: it was never held, or it was answered already. */
  NOT_HELD(Kind.CONFLICT, false),
  NO_STDIN(Kind.CONFLICT, false),
  STDIN_CLOSED(Kind.CONFLICT, false),
  /** The task does not read its standard input; the answer says how many bytes it took. */
  STDIN_FULL(Kind.BUSY, true),
  /** The same idempotency key came with another body. */
  IDEMPOTENCY_CONFLICT(Kind.CONFLICT, false),
  /** The rest of the request did not arrive in time. */
  REQUEST_TIMEOUT(Kind.TIMEOUT, true),
  TOO_LARGE(Kind.TOO_LARGE, false),
  RANGE_NOT_SATISFIABLE(Kind.RANGE, false),
  LIMIT_EXCEEDED(Kind.BUSY, true),
  HOST_UNREACHABLE(Kind.RESOURCES, true),
  INSUFFICIENT_STORAGE(Kind.RESOURCES, true),
  NOT_READY(Kind.RESOURCES, true),
  SHUTTING_DOWN(Kind.RESOURCES, true),
  /** Another daemon has taken over this journal. */
  FENCED(Kind.DAEMON, false),
  /** The requested data is in a damaged part of the journal; everything else still works. */
  RECORD_DAMAGED(Kind.DAEMON, false),
  /** A commit failed; nothing is acknowledged any more until the daemon has started again. */
  JOURNAL_FAILED(Kind.DAEMON, true),
  INTERNAL_ERROR(Kind.DAEMON, false);

  /** Who must act, and how a surface answers. */
  public enum Kind {
    INVALID,
    UNAUTHENTICATED,
    FORBIDDEN,
    MISSING,
    METHOD,
    GONE,
    CONFLICT,
    TIMEOUT,
    TOO_LARGE,
    RANGE,
    BUSY,
    RESOURCES,
    DAEMON
  }

  private final Kind kind;
  private final boolean retryable;

  ErrorCode(Kind kind, boolean retryable) {
    this.kind = kind;
    this.retryable = retryable;
  }

  public Kind kind() {
    return kind;
  }

  /** Whether the same request may succeed later without a change by the caller. */
  public boolean retryable() {
    return retryable;
  }
}
