package dev.errand.daemon.verb;

/**
 * What was remembered of a request by a version that remembered whole replies. Its own door sends
 * it again as it is; such replies are kept for a day.
 */
public final class EarlierReply extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient byte[] reply;

  EarlierReply(byte[] reply) {
    super("a reply of an earlier version", null, false, false);
    this.reply = reply;
  }

  public byte[] reply() {
    return reply;
  }
}
