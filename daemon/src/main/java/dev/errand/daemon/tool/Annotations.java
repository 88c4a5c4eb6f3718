package dev.errand.daemon.tool;

/**
 * The hints of a tool for whoever decides whether to call it: whether it changes nothing, whether
 * it may end or remove something, whether calling it twice does no more than calling it once, and
 * whether it reaches beyond Errand.
 */
public record Annotations(
    boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {

  /** Of a tool that only looks. */
  public static final Annotations READS = new Annotations(true, false, true, false);

  /** Of a tool that runs a command or types at one, which may do anything. */
  public static final Annotations RUNS = new Annotations(false, true, false, true);

  /** Of a tool that changes something of Errand's own, always to the same. */
  public static final Annotations SETS = new Annotations(false, false, true, false);

  /** Of a tool that ends or removes something; what is over stays over. */
  public static final Annotations ENDS = new Annotations(false, true, true, false);
}
