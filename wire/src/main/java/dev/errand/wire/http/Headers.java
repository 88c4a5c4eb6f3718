package dev.errand.wire.http;

/** Names of header fields and media types. */
public final class Headers {
  public static final String ACCEPT = "Accept";
  public static final String AUTHORIZATION = "Authorization";
  public static final String CONTENT_LENGTH = "Content-Length";
  public static final String CONTENT_TYPE = "Content-Type";
  public static final String LINK = "Link";
  public static final String RANGE = "Range";

  /** Identifies one mutating request, so that a repetition has no second effect. */
  public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  /** An event stream continues after this id. */
  public static final String LAST_EVENT_ID = "Last-Event-ID";

  /** The stream offset of the first byte in an answer of output. */
  public static final String ERRAND_OFFSET = "Errand-Offset";

  /** How many bytes the log has seen so far. */
  public static final String ERRAND_TOTAL = "Errand-Total";

  /** How many bytes an answer of output carries. */
  public static final String ERRAND_BYTES = "Errand-Bytes";

  /** Whether the task is over, so that the total is final. */
  public static final String ERRAND_ENDED = "Errand-Ended";

  /** The offset to read on from. */
  public static final String ERRAND_NEXT = "Errand-Next";

  /** The frame for which a screen stands. */
  public static final String ERRAND_SEQ = "Errand-Seq";

  /** Whether a screen may be wrong because bytes before it are missing. */
  public static final String ERRAND_APPROXIMATE = "Errand-Approximate";

  /** The cursor after the last notice that a text covers. */
  public static final String ERRAND_CURSOR = "Errand-Cursor";

  public static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";
  public static final String CONTENT_TYPE_OPTIONS = "X-Content-Type-Options";

  public static final String TEXT = "text/plain; charset=utf-8";
  public static final String HTML = "text/html; charset=utf-8";
  public static final String JSON = "application/json";
  public static final String PROBLEM_JSON = "application/problem+json";
  public static final String EVENT_STREAM = "text/event-stream";
  public static final String OCTET_STREAM = "application/octet-stream";

  private Headers() {}
}
