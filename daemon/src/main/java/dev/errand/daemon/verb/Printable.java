package dev.errand.daemon.verb;

/** Foreign text made fit for a log line or an answer: short, and without control characters. */
public final class Printable {
  private static final int CHARS_MAX = 200;

  private Printable() {}

  public static String of(String text) {
    var end = Math.min(text.length(), CHARS_MAX);
    var shown = new StringBuilder(end);
    for (var i = 0; i < end; i++) {
      var c = text.charAt(i);
      shown.append(c < ' ' || (c >= 0x7F && c < 0xA0) || Character.isSurrogate(c) ? '?' : c);
    }
    return end < text.length() ? shown + "…" : shown.toString();
  }
}
