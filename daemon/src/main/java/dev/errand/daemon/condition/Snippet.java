package dev.errand.daemon.condition;

import java.util.regex.Pattern;

/** A short part of a text to show: no control characters, no escape sequences of terminals. */
public final class Snippet {
  static final int CHARS_MAX = 400;

  /** Of the match's own line, what stands before it. */
  private static final int BEFORE_CHARS_MAX = 100;

  /** What is cut before cleaning, which makes it shorter. */
  private static final int RAW_CHARS_MAX = 4 * CHARS_MAX;

  private static final Pattern ESCAPES =
      Pattern.compile(
          "\\e\\[[0-?]*[ -/]*[@-~]" // such as colours and movements
              + "|\\e[\\]P^_X][^\\x07\\e]*(?:\\x07|\\e\\\\)?" // such as titles
              + "|\\e[ -/]*[0-~]?");

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
    var text = new StringBuilder();
    ESCAPES
        .matcher(raw)
        .replaceAll("")
        .codePoints()
        .takeWhile(_ -> text.length() < CHARS_MAX)
        .forEach(it -> append(text, it));
    return text.toString();
  }

  private static void append(StringBuilder text, int character) {
    if (character == '\n' || character == '\t') {
      text.append(' ');
    } else if (!Character.isISOControl(character)
        && text.length() + Character.charCount(character) <= CHARS_MAX) {
      var broken = character <= Character.MAX_VALUE && Character.isSurrogate((char) character);
      text.appendCodePoint(broken ? '\ufffd' : character);
    }
  }
}
