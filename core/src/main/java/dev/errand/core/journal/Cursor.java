package dev.errand.core.journal;

/**
 * A place in the order of all frames; opaque, made by a journal and understood by that one only.
 */
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
