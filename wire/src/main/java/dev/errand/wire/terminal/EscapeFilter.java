package dev.errand.wire.terminal;

import dev.errand.wire.terminal.EscapeParser.State;

/**
 * Selects, byte by byte, what a reader sees of the output of a terminal: no escape sequences, no
 * titles, and no control characters other than tabs and the ends of lines.
 */
public final class EscapeFilter {
  /** A sequence that is longer counts as text again, so that it cannot hide all that follows. */
  private static final int SEQUENCE_BYTES_MAX = 256;

  private static final int STRING_BYTES_MAX = 4_096;

  private final EscapeParser parser = new EscapeParser();

  /** Of the sequence so far. */
  private int length;

  /** Whether the next byte is not part of a sequence that has begun. */
  public boolean isIdle() {
    return parser.state() == State.TEXT;
  }

  /** Whether a reader sees this byte; ends of lines count as seen. */
  public boolean shows(byte value) {
    var code = value & 0xff;
    if (isIdle() && code >= 0x20 && code < 0x7f) {
      return true;
    }
    return switch (parser.next(code)) {
      case TEXT -> {
        length = 0;
        yield true;
      }
      case CONTROL -> {
        // A sequence that a program did not finish ends here, so that the next line can be read.
        restart();
        yield isShownControl(code);
      }
      case INSIDE -> {
        length = code == EscapeParser.ESC ? 0 : length + 1;
        yield isTooLong() && showsAgain(code);
      }
      case END, CANCEL -> {
        length = 0;
        yield false;
      }
    };
  }

  private boolean isTooLong() {
    return switch (parser.state()) {
      case ESCAPE, SEQUENCE -> length > SEQUENCE_BYTES_MAX;
      case STRING -> length > STRING_BYTES_MAX;
      case TEXT, STRING_ESCAPE -> false;
    };
  }

  private boolean showsAgain(int code) {
    restart();
    return code >= 0x20 || isShownControl(code);
  }

  private void restart() {
    parser.reset(State.TEXT);
    length = 0;
  }

  private static boolean isShownControl(int code) {
    return code == '\n' || code == '\r' || code == '\t';
  }
}
