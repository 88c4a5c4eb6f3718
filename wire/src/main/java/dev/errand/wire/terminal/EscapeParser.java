package dev.errand.wire.terminal;

/**
 * Says of each byte that is written to a terminal what it belongs to: text, a control character, or
 * an escape sequence. It works as terminals do: a control character acts also within a sequence,
 * {@code CAN} and {@code SUB} cancel, and {@code ESC} always begins again.
 *
 * <p>It keeps only its state, and has no limit on the length of a sequence; a caller that needs one
 * calls {@link #reset}. Codes of 0x80 and above are text, since in UTF-8 they are parts of
 * characters.
 */
public final class EscapeParser {
  public static final int ESC = 0x1b;

  private static final int BEL = 0x07;
  private static final int CAN = 0x18;
  private static final int SUB = 0x1a;
  private static final int DEL = 0x7f;

  /** What the bytes so far end in. */
  public enum State {
    TEXT,
    ESCAPE,
    /** A control sequence, {@code ESC [}. */
    SEQUENCE,
    /** A string, such as a title: {@code ESC ]}, {@code ESC P} and others. */
    STRING,
    /**
     * An {@code ESC} within a string: the string ends with a backslash and is dropped otherwise.
     */
    STRING_ESCAPE
  }

  /** What a byte is. */
  public enum Part {
    /** A byte of a character. A sequence that had no end yet is dropped. */
    TEXT,
    /** A control character. It acts at once; a sequence that it stands in continues. */
    CONTROL,
    /** The first byte or a middle one of an escape sequence, a control sequence or a string. */
    INSIDE,
    /** The last byte of it. */
    END,
    /** Drops what had no end yet. */
    CANCEL
  }

  private State state = State.TEXT;

  public State state() {
    return state;
  }

  /** Continues as if the bytes so far ended in this state. */
  public void reset(State to) {
    state = to;
  }

  /** Takes the next byte, as a value from 0 to 255, or the next character of a text. */
  public Part next(int code) {
    return switch (state) {
      case TEXT -> text(code);
      case ESCAPE -> escape(code);
      case SEQUENCE -> sequence(code);
      case STRING -> string(code);
      case STRING_ESCAPE -> {
        if (code == '\\') {
          yield to(State.TEXT, Part.END);
        }
        state = State.ESCAPE;
        yield escape(code);
      }
    };
  }

  private Part text(int code) {
    if (code == ESC) {
      return to(State.ESCAPE, Part.INSIDE);
    }
    return code < 0x20 || code == DEL ? Part.CONTROL : Part.TEXT;
  }

  private Part escape(int code) {
    return switch (code) {
      case '[' -> to(State.SEQUENCE, Part.INSIDE);
      case ']', 'P', 'X', '^', '_' -> to(State.STRING, Part.INSIDE);
      default -> code >= 0x20 && code < 0x30 ? Part.INSIDE : inSequence(code, 0x30);
    };
  }

  private Part sequence(int code) {
    return code >= 0x20 && code < 0x40 ? Part.INSIDE : inSequence(code, 0x40);
  }

  /** Any code that is not a middle one; from {@code lastMin} on it is the last one. */
  private Part inSequence(int code, int lastMin) {
    if (code == ESC) {
      return to(State.ESCAPE, Part.INSIDE);
    }
    if (code == CAN || code == SUB) {
      return to(State.TEXT, Part.CANCEL);
    }
    if (code > DEL) {
      return to(State.TEXT, Part.TEXT);
    }
    return code >= lastMin && code < DEL ? to(State.TEXT, Part.END) : Part.CONTROL;
  }

  private Part string(int code) {
    return switch (code) {
      case ESC -> to(State.STRING_ESCAPE, Part.INSIDE);
      case BEL -> to(State.TEXT, Part.END);
      case CAN, SUB -> to(State.TEXT, Part.CANCEL);
      default -> Part.INSIDE;
    };
  }

  private Part to(State next, Part part) {
    state = next;
    return part;
  }
}
