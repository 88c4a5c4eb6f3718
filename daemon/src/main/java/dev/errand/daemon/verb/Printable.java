package dev.errand.daemon.verb;

/**
 * Makes foreign text fit for a log line or an answer: short, and without characters that break or
 * reorder a line.
 */
public final class Printable {
  private static final int CHARS_MAX = 200;

  private Printable() {}

  public static String of(String text) {
    var end = Math.min(text.length(), CHARS_MAX);
    var shown = new StringBuilder(end);
    for (var i = 0; i < end; i++) {
      var c = text.charAt(i);
      shown.append(isShown(c) ? c : '?');
    }
    return end < text.length() ? shown + "…" : shown.toString();
  }

  /** The same as one word, so that it cannot look like more than one part of a line. */
  public static String word(String text) {
    return of(text.replace(' ', '?'));
  }

  private static boolean isShown(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
