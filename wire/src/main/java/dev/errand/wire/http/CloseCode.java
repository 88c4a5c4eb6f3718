package dev.errand.wire.http;

/** Why a WebSocket is closed: the codes of RFC 6455 that both ends give a meaning to. */
public final class CloseCode {

  /** Nothing more can come. */
  public static final int NORMAL = 1000;

  /** A message of a sort that is not known here. */
  public static final int UNSUPPORTED = 1003;

  /** A message that is not what its sort promises: no UTF-8, no JSON. */
  public static final int BAD_PAYLOAD = 1007;

  /** The client may not be here any more: its token was revoked. */
  public static final int POLICY = 1008;

  public static final int TOO_LARGE = 1009;

  /** A bug; the daemon's log says more. */
  public static final int INTERNAL = 1011;

  /** The daemon stops; the client comes back to the next one. */
  public static final int RESTART = 1012;

  /** All places are taken. */
  public static final int TRY_LATER = 1013;

  private CloseCode() {}
}
