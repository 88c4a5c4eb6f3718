package dev.errand.daemon.output;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A line as plain text. A carriage return inside it is a blank here: what a terminal would write
 * over was written all the same, and who searches for it must find it.
 */
final class LineText {

  private LineText() {}

  static String of(byte[] bytes) {
    var raw = new String(bytes, UTF_8);
    if (isPlain(raw)) {
      return raw;
    }
    var end = raw.length();
    while (end > 0 && raw.charAt(end - 1) == '\r') {
      end--;
    }
    return PlainText.of(raw.substring(0, end).replace('\r', ' '));
  }

  /** The beginning of it, not half of a character, with a mark where there is more. */
  static String cut(String text) {
    var chars = LogLines.LINE_CHARS_MAX;
    if (text.length() <= chars) {
      return text;
    }
    var splits = Character.isHighSurrogate(text.charAt(chars - 1));
    return text.substring(0, splits ? chars - 1 : chars) + "…";
  }

  /** Most lines are, and need no closer look. */
  private static boolean isPlain(String text) {
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if ((c < ' ' && c != '\t') || (c >= 0x7f && (c <= 0x9f || c >= 0x2000))) {
        return false;
      }
    }
    return true;
  }
}
