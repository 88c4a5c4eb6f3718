package dev.errand.daemon.tool.excerpt;

/** How many characters JSON needs for a text. */
public final class JsonCost {
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int SHORT_ESCAPE = 2;
  private static final int LONG_ESCAPE = 6;
  private static final String SHORT = "\n\t\r\b\f\"\\";

  private JsonCost() {}

  public static int of(CharSequence text) {
    var cost = 0;
    for (var i = 0; i < text.length(); i++) {
      var character = text.charAt(i);
      if (SHORT.indexOf(character) >= 0) {
        cost += SHORT_ESCAPE;
      } else {
        cost += character < FIRST_PRINTABLE ? LONG_ESCAPE : 1;
      }
    }
    return cost;
  }
}
