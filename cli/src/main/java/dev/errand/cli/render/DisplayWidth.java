package dev.errand.cli.render;

/**
 * How many columns of a terminal a text takes. Terminals differ about a few newer characters; a row
 * may then be off by a column, so the widest cell is the last one in tables.
 */
public final class DisplayWidth {
  private static final String MORE = "…";

  /** First and last of the ranges that take two columns (East Asian wide, and emoji). */
  private static final int[][] WIDE = {
    {0x1100, 0x115f},
    {0x231a, 0x231b},
    {0x2329, 0x232a},
    {0x23e9, 0x23ec},
    {0x25fd, 0x25fe},
    {0x2614, 0x2615},
    {0x2648, 0x2653},
    {0x26aa, 0x26ab},
    {0x26bd, 0x26be},
    {0x2705, 0x2705},
    {0x270a, 0x270b},
    {0x2728, 0x2728},
    {0x274c, 0x274c},
    {0x2753, 0x2755},
    {0x2795, 0x2797},
    {0x2b1b, 0x2b1c},
    {0x2b50, 0x2b50},
    {0x2e80, 0x303e},
    {0x3041, 0xa4cf},
    {0xa960, 0xa97f},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f004, 0x1f004},
    {0x1f18e, 0x1f19a},
    {0x1f200, 0x1f320},
    {0x1f32d, 0x1f64f},
    {0x1f680, 0x1f6ff},
    {0x1f7e0, 0x1f7eb},
    {0x1f90c, 0x1f9ff},
    {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd},
  };

  private DisplayWidth() {}

  static int of(String text) {
    return text.codePoints().map(DisplayWidth::of).sum();
  }

  private static int of(int codePoint) {
    if (codePoint < WIDE[0][0]) {
      return isZero(codePoint) ? 0 : 1;
    }
    for (var range : WIDE) {
      if (codePoint >= range[0] && codePoint <= range[1]) {
        return 2;
      }
    }
    return isZero(codePoint) ? 0 : 1;
  }

  private static boolean isZero(int codePoint) {
    var type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT;
  }

  /** The text, cut to the width with a mark if it is longer. */
  public static String cut(String text, int columnsMax) {
    if (of(text) <= columnsMax) {
      return text;
    }
    var kept = new StringBuilder();
    var left = columnsMax - 1;
    for (var codePoint : text.codePoints().toArray()) {
      left -= of(codePoint);
      if (left < 0) {
        break;
      }
      kept.appendCodePoint(codePoint);
    }
    return kept + MORE;
  }

  public static String padded(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - of(text)));
  }
}
