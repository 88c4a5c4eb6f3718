package dev.errand.daemon.output;

import dev.errand.wire.terminal.EscapeParser;
import dev.errand.wire.terminal.EscapeParser.State;

/**
 * Output as it may be shown to a person or an agent: no escape sequences, no control characters but
 * new lines and tabs, nothing that hides or reorders text.
 *
 * <p>A carriage return starts its line again, as a terminal shows it, so that of a progress bar the
 * last state remains; a backspace removes the character before it.
 */
public final class PlainText {
  private static final int C1_FIRST = 0x80;
  private static final int C1_LAST = 0x9f;

  private final EscapeParser escapes = new EscapeParser();
  private final StringBuilder text = new StringBuilder();
  private int lineStart;

  /** Whether a carriage return stands before what comes next. */
  private boolean returned;

  private PlainText() {}

  public static String of(String raw) {
    if (raw.chars().allMatch(PlainText::isPlain)) {
      return raw;
    }
    var plain = new PlainText();
    raw.codePoints().forEach(plain::add);
    return plain.text.toString();
  }

  /** The same on one line, with the blanks at its ends, cut to {@code charsMax}. */
  public static String flat(String raw, int charsMax) {
    var flat = flat(raw);
    return flat.length() <= charsMax ? flat : head(flat, charsMax);
  }

  /** The same on one line of at most {@code charsMax}, with a mark if it was cut. */
  public static String line(String raw, int charsMax) {
    var line = flat(raw).strip();
    return line.length() <= charsMax ? line : head(line, charsMax - 1) + "…";
  }

  private static String flat(String raw) {
    return of(raw).replace('\n', ' ').replace('\t', ' ');
  }

  /** The last line that is not blank; empty where there is none. */
  public static String lastLine(String raw, int charsMax) {
    var end = of(raw).stripTrailing();
    return line(end.substring(end.lastIndexOf('\n') + 1), charsMax);
  }

  /** The first characters, without half of the last. */
  private static String head(String text, int chars) {
    var cut = Character.isHighSurrogate(text.charAt(chars - 1)) ? chars - 1 : chars;
    return text.substring(0, cut);
  }

  /** The last characters, without half of the first. */
  public static String tail(String text, int chars) {
    if (text.length() <= chars) {
      return text;
    }
    var from = text.length() - chars;
    return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }

  private void add(int character) {
    if (character == '\n') {
      // An open sequence or title hides the rest of its own line only.
      escapes.reset(State.TEXT);
    } else if (character >= C1_FIRST && character <= C1_LAST) {
      // A short form of ESC and a letter; what the letter means follows.
      escapes.next(EscapeParser.ESC);
      escapes.next(character - C1_FIRST + '@');
      return;
    }
    switch (escapes.next(character)) {
      case TEXT, CONTROL -> append(character);
      case INSIDE, END, CANCEL -> {}
    }
  }

  private void append(int character) {
    switch (character) {
      case '\n' -> {
        text.append('\n');
        lineStart = text.length();
        returned = false;
      }
      case '\r' -> returned = true;
      case '\b' -> backspace();
      default -> {
        if (isPlain(character)) {
          overwrite();
          text.appendCodePoint(character);
        }
      }
    }
  }

  private void overwrite() {
    if (returned) {
      text.setLength(lineStart);
      returned = false;
    }
  }

  private void backspace() {
    if (!returned && text.length() > lineStart) {
      text.setLength(text.offsetByCodePoints(text.length(), -1));
    }
  }

  /** Whether it stays as it is; half of a surrogate pair is checked together with the other. */
  private static boolean isPlain(int character) {
    return character == '\n' || character == '\t' || !hides(character);
  }

  /** Control characters, line separators, marks that reorder text, and halves of a character. */
  private static boolean hides(int character) {
    return Character.isISOControl(character)
        || (character >= 0x2028 && character <= 0x202e)
        || (character >= 0x2066 && character <= 0x2069)
        || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE);
  }
}
