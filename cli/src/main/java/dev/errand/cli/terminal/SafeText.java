package dev.errand.cli.terminal;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Turns the bytes of one output stream into text that cannot command a terminal: no cursor moves,
 * no titles, no clipboard, no hidden or reordered text. A control character is shown in caret form
 * ({@code ^[}), one above 127 by its number; new lines and tabs stay, and a carriage return goes
 * where a new line follows it.
 *
 * <p>Bytes come in pieces that may end anywhere, so an incomplete character or line end waits for
 * the next piece; {@link #end} returns the incomplete rest.
 */
public final class SafeText {
  private static final int DELETE = 0x7f;
  private static final int C1_LAST = 0x9f;

  /** Blank or without a width, though they count as letters or marks. */
  private static final String FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0";

  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);

  private byte[] incomplete = new byte[0];
  private boolean afterReturn;

  /** The safe text of the next piece. */
  public String next(byte[] bytes) {
    return escape(decode(bytes, false));
  }

  /** The escaped text of the incomplete rest, at the end of the stream or before a gap. */
  public String end() {
    var text = escape(decode(new byte[0], true));
    decoder.reset();
    if (!afterReturn) {
      return text;
    }
    afterReturn = false;
    return text + "^M";
  }

  /** A short text that must stay on one line: here new lines and tabs are escaped as well. */
  public static String line(String text) {
    if (text.codePoints().allMatch(it -> it >= ' ' && it < DELETE)) {
      return text;
    }
    var safe = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(it -> append(safe, it));
    return safe.toString();
  }

  /** Text of several lines, given as a whole. */
  public static String block(String text) {
    var safe = new SafeText();
    return safe.next(text.getBytes(StandardCharsets.UTF_8)) + safe.end();
  }

  /**
   * A line made by this program that may contain foreign text, such as JSON: characters that a
   * terminal would hide or execute are written as JSON escapes. Colours stay.
   */
  static String visible(String line) {
    if (isAscii(line)) {
      return line;
    }
    var safe = new StringBuilder(line.length() + 16);
    line.codePoints()
        .forEach(it -> {
          if (isHidden(it)) {
            Character.toString(it).chars().forEach(half -> safe.append("\\u%04x".formatted(half)));
          } else {
            safe.appendCodePoint(it);
          }
        });
    return safe.toString();
  }

  private static boolean isAscii(String line) {
    for (var i = 0; i < line.length(); i++) {
      if (line.charAt(i) >= DELETE) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHidden(int codePoint) {
    return (codePoint >= DELETE && codePoint <= C1_LAST) || hides(codePoint);
  }

  private CharBuffer decode(byte[] bytes, boolean last) {
    var in =
        ByteBuffer.allocate(incomplete.length + bytes.length).put(incomplete).put(bytes).flip();
    var out = CharBuffer.allocate(in.remaining() + 1);
    check(decoder.decode(in, out, last));
    if (last) {
      check(decoder.flush(out));
    }
    incomplete = new byte[in.remaining()];
    in.get(incomplete);
    return out.flip();
  }

  private static void check(CoderResult result) {
    if (!result.isUnderflow()) {
      throw new IllegalStateException("a byte never becomes more than one char, yet: " + result);
    }
  }

  private String escape(CharBuffer text) {
    var safe = new StringBuilder(text.remaining() + 16);
    text.toString().codePoints().forEach(it -> appendInStream(safe, it));
    return safe.toString();
  }

  private void appendInStream(StringBuilder safe, int codePoint) {
    if (afterReturn && codePoint != '\n') {
      safe.append("^M");
    }
    afterReturn = codePoint == '\r';
    if (codePoint == '\n' || codePoint == '\t') {
      safe.append((char) codePoint);
    } else if (!afterReturn) {
      append(safe, codePoint);
    }
  }

  private static void append(StringBuilder safe, int codePoint) {
    if (codePoint < ' ' || codePoint == DELETE) {
      safe.append('^').append((char) (codePoint ^ 0x40));
    } else if (isHidden(codePoint)) {
      safe.append("<U+%04X>".formatted(codePoint));
    } else {
      safe.appendCodePoint(codePoint);
    }
  }

  /**
   * Line separators, marks that reorder text around them, characters without a width, and halves of
   * a character. Letters joined by such a mark are shown apart, since the mark could hide text.
   */
  private static boolean hides(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> FILLERS.indexOf(codePoint) >= 0 || isVariation(codePoint);
    };
  }

  /** Marks that choose a form of the character before them; only the two of emoji are usual. */
  private static boolean isVariation(int codePoint) {
    return (codePoint >= 0xfe00 && codePoint <= 0xfe0d)
        || (codePoint >= 0x180b && codePoint <= 0x180f)
        || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
  }
}
