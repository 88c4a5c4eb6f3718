package dev.errand.core.journal;

/** A position in the order of all frames; opaque, and valid only in the journal that made it. */
public record Cursor(String text) {
  private static final int LENGTH_MAX = 64;

  /** Before the first frame. */
  public static final Cursor START = new Cursor("");

  public Cursor {
    if (text.length() > LENGTH_MAX) {
      throw new IllegalArgumentException("a cursor has at most " + LENGTH_MAX + " characters");
    }
  }
}
