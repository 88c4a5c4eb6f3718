package dev.errand.daemon.watch;

/**
 * Takes what is for the terminal out of what is for the reader, a byte at a time: escape sequences,
 * titles, and control characters other than tabs and the ends of lines.
 */
final class EscapeFilter {
  /**
   * What has no end after so many bytes is taken for text again, lest it hides all that follows.
   */
  private static final int SEQUENCE_BYTES_MAX = 256;

  private static final int STRING_BYTES_MAX = 4_096;

  private static final int ESC = 0x1b;
  private static final int BEL = 0x07;
  private static final int CAN = 0x18;
  private static final int SUB = 0x1a;
  private static final int DEL = 0x7f;

  private enum Inside {
    TEXT,
    ESCAPE,
    SEQUENCE,
    STRING,
    STRING_ESCAPE
  }

  private Inside inside = Inside.TEXT;
  private int length;

  /** Whether the next byte begins something new. */
  boolean isIdle() {
    return inside == Inside.TEXT;
  }

  /** Whether a reader sees this byte; ends of lines count as seen. */
  boolean shows(byte value) {
    var code = value & 0xff;
    return switch (inside) {
      case TEXT -> text(code);
      case ESCAPE -> escape(code);
      case SEQUENCE -> sequence(code);
      case STRING -> string(code);
      case STRING_ESCAPE -> {
        // A backslash ends the string; anything else begins anew.
        if (code == '\\') {
          inside = Inside.TEXT;
          yield false;
        }
        inside = Inside.ESCAPE;
        yield escape(code);
      }
    };
  }

  private boolean text(int code) {
    if (code == ESC) {
      inside = Inside.ESCAPE;
      length = 0;
      return false;
    }
    return code >= 0x20 ? code != DEL : code == '\n' || code == '\r' || code == '\t';
  }

  private boolean escape(int code) {
    switch (code) {
      case '[' -> inside = Inside.SEQUENCE;
      case ']', 'P', 'X', '^', '_' -> inside = Inside.STRING;
      default -> {
        // Such as ESC ( B: characters between come first, and then one that ends it.
        var between = code >= 0x20 && code < 0x30 && length < SEQUENCE_BYTES_MAX;
        inside = between ? Inside.ESCAPE : Inside.TEXT;
        if (code < 0x20 || code >= DEL) {
          return text(code);
        }
      }
    }
    length++;
    return false;
  }

  private boolean sequence(int code) {
    length++;
    var ends = code >= 0x40 && code < DEL;
    if (ends || code == CAN || code == SUB) {
      inside = Inside.TEXT;
      return false;
    }
    // A control or a character that cannot stand here, and what goes on for ever, break it off.
    if (code < 0x20 || code >= DEL || length > SEQUENCE_BYTES_MAX) {
      inside = Inside.TEXT;
      return text(code);
    }
    return false;
  }

  private boolean string(int code) {
    length++;
    if (code == BEL || code == CAN || code == SUB) {
      inside = Inside.TEXT;
    } else if (code == ESC) {
      inside = Inside.STRING_ESCAPE;
    } else if (length > STRING_BYTES_MAX) {
      inside = Inside.TEXT;
      return text(code);
    }
    return false;
  }
}
