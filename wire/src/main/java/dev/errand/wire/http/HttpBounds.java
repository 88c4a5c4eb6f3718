package dev.errand.wire.http;

import java.time.Duration;

/** Limits that client and daemon share. */
public final class HttpBounds {

  /** A JSON body of a request; a larger one is refused. */
  public static final int REQUEST_BYTES_MAX = 1024 * 1024;

  /** What one write to standard input may carry; a larger one is refused. */
  public static final int STDIN_BYTES_MAX = 8 * 1024;

  /** A response that is read completely; a larger one is refused by the client. */
  public static final int ANSWER_BYTES_MAX = 32 * 1024 * 1024;

  /** One line of an event stream; a larger one is refused by the client. */
  public static final int EVENT_BYTES_MAX = 4 * 1024 * 1024;

  /** What one read of output returns at most. */
  public static final int OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

  /** What one read of output returns if the reader does not say. */
  public static final int OUTPUT_BYTES_DEFAULT = 512 * 1024;

  /** The maximum duration of one long poll; clients repeat it. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(60);

  /** A quiet event stream carries a comment this often, so that a dead peer is noticed. */
  public static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  /** How many lines of output one read returns if the reader does not say, and at most. */
  public static final int LINES_DEFAULT = 200;

  public static final int LINES_MAX = 10_000;

  /** How many matches one search returns if the reader does not say, and at most. */
  public static final int MATCHES_DEFAULT = 20;

  public static final int MATCHES_MAX = 1_000;

  /** How many lines are shown before and after a match, at most. */
  public static final int CONTEXT_LINES_MAX = 20;

  private HttpBounds() {}
}
