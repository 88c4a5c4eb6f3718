package dev.errand.daemon.tool;

/** Keeps a text within a budget: its head and its tail, with one line between them. */
public final class ReplyText {
  private static final int GAP_CHARS_MAX = 200;

  /** The end of a text says more than its beginning, so it gets most of the room. */
  private static final int HEAD_PART = 3;

  private ReplyText() {}

  /** The text if it fits, else both ends of it at the borders of lines. */
  public static String fit(String text, int charsMax, String readOn) {
    if (text.length() <= charsMax) {
      return text;
    }
    var room = Math.max(0, charsMax - GAP_CHARS_MAX);
    var head = headEnd(text, room / HEAD_PART);
    var tail = tailStart(text, text.length() - (room - room / HEAD_PART));
    var gap =
        "[… %,d characters left out%s]"
            .formatted(tail - head, readOn.isEmpty() ? "" : "; " + readOn);
    var before = head == 0 || text.charAt(head - 1) == '\n' ? "" : "\n";
    return text.substring(0, head)
        + before
        + gap.substring(0, Math.min(gap.length(), GAP_CHARS_MAX - 2))
        + "\n"
        + text.substring(tail);
  }

  /** The end of the last whole line before that place; the place itself if that line is long. */
  static int headEnd(String text, int at) {
    var border = text.lastIndexOf('\n', at - 1) + 1;
    if (border > at / 2) {
      return border;
    }
    return at > 0 && Character.isHighSurrogate(text.charAt(at - 1)) ? at - 1 : at;
  }

  /** The start of the first whole line after that place; the place itself if that line is long. */
  static int tailStart(String text, int at) {
    var border = text.indexOf('\n', at) + 1;
    if (border > 0 && border < text.length() && border - at < (text.length() - at) / 2) {
      return border;
    }
    return Character.isLowSurrogate(text.charAt(at)) ? at + 1 : at;
  }
}
