package dev.errand.wire.http;

/** Why a WebSocket is closed: the codes of RFC 6455 that both ends give a meaning to. */
public final class CloseCode {

  /** Nothing more can come. */
  public static final int NORMAL = 1000;

  /** A message of an unknown type. */
  public static final int UNSUPPORTED = 1003;

  /** A message with invalid content: not UTF-8 or not JSON. */
  public static final int BAD_PAYLOAD = 1007;

  /** The client is no longer allowed: its token was revoked. */
  public static final int POLICY = 1008;

  public static final int TOO_LARGE = 1009;

  /** A bug; the daemon's log says more. */
  public static final int INTERNAL = 1011;

  /** The daemon is stopping; the client reconnects to the next one. */
  public static final int RESTART = 1012;

  /** The limit of attached clients is reached. */
  public static final int TRY_LATER = 1013;

  private CloseCode() {}
}
