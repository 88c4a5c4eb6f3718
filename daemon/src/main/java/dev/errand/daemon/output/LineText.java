package dev.errand.daemon.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * A line as plain text in its final state: a carriage return starts it again, so that of a progress
 * bar the last state is shown. What was written over can be searched all the same.
 */
final class LineText {

  private LineText() {}

  static String of(byte[] bytes) {
    return states(bytes).getLast();
  }

  /** All that the line was, one after the other; at least one, which may be empty. */
  static List<String> states(byte[] bytes) {
    var raw = new String(bytes, UTF_8);
    if (isPlain(raw)) {
      return List.of(raw);
    }
    var states = new ArrayList<String>();
    var from = 0;
    while (from <= raw.length()) {
      var next = raw.indexOf('\r', from);
      var end = next < 0 ? raw.length() : next;
      var text = PlainText.of(raw.substring(from, end));
      // What only clears the line or ends it is no state of it.
      if (!text.isEmpty()) {
        states.add(text);
      }
      from = end + 1;
    }
    return states.isEmpty() ? List.of("") : states;
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

  /** Most lines are plain and need no parsing. */
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
