package dev.errand.daemon.condition;

import dev.errand.daemon.output.PlainText;

/** A short part of a text to show: no control characters, no escape sequences of terminals. */
public final class Snippet {
  static final int CHARS_MAX = 400;

  /** Of the match's own line, what stands before it. */
  private static final int BEFORE_CHARS_MAX = 100;

  /** What is cut before cleaning, which makes it shorter. */
  private static final int RAW_CHARS_MAX = 4 * CHARS_MAX;

  private Snippet() {}

  /** The lines of a match, cut to the limit. */
  public static String around(String text, int start, int end) {
    var lineStart = text.lastIndexOf('\n', start - 1) + 1;
    var from = Math.max(lineStart, start - BEFORE_CHARS_MAX);
    var lineEnd = text.indexOf('\n', end);
    var to = Math.min(lineEnd < 0 ? text.length() : lineEnd, from + RAW_CHARS_MAX);
    return of(text.substring(from, Math.max(from, to)));
  }

  public static String of(String raw) {
    return PlainText.flat(raw, CHARS_MAX);
  }
}
