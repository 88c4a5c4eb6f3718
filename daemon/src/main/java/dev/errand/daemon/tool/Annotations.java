package dev.errand.daemon.tool;

/**
 * What a caller may know of a tool before it calls it: whether it changes nothing, whether it may
 * end or remove something, and whether calling it twice does no more than calling it once.
 */
public record Annotations(boolean readOnly, boolean destructive, boolean idempotent) {

  /** Of a tool that only looks. */
  public static final Annotations READS = new Annotations(true, false, true);

  /** Of a tool that starts something or writes to it. */
  public static final Annotations ADDS = new Annotations(false, false, false);

  /** Of a tool that ends something; what is over stays over. */
  public static final Annotations ENDS = new Annotations(false, true, true);
}
