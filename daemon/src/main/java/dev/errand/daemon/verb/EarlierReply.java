package dev.errand.daemon.verb;

/**
 * A reply that an earlier version stored as a whole. Its own door sends it again unchanged; such
 * replies are kept for a day.
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
