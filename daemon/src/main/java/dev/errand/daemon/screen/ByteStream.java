package dev.errand.daemon.screen;

import dev.errand.core.task.Utf8;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes that a program writes to a terminal apart into text, controls and sequences.
 *
 * <p>It keeps nothing between two calls but whether it is inside something too long to matter: what
 * is cut off at the end of the bytes (a character, a sequence) is not consumed, and comes again
 * with the next call. So the result does not depend on where the stream was cut, and a place in the
 * stream is just a number.
 */
final class ByteStream {
  /** A title, a picture or a clipboard longer than this is passed over. */
  static final int STRING_BYTES_MAX = 4096;

  /** No sequence that means anything is this long. */
  static final int SEQUENCE_BYTES_MAX = 256;

  private static final int ESC = 0x1b;
  private static final int BEL = 0x07;
  private static final int CAN = 0x18;
  private static final int SUB = 0x1a;
  private static final int DEL = 0x7f;

  /** What the stream is made of. */
  interface Parts {
    void text(String text);

    void control(int code);

    /** {@code ESC}, characters between if any, and the last one. */
    void escape(String between, char last);

    void sequence(ControlSequence sequence);

    /** The content of an operating system command, such as a title. */
    void command(String content);
  }

  /** What the stream was in the middle of when the last call ended. */
  enum Inside {
    NOTHING,
    LONG_STRING,
    LONG_SEQUENCE
  }

  private final Parts parts;
  private Inside inside = Inside.NOTHING;

  ByteStream(Parts parts) {
    this.parts = parts;
  }

  Inside inside() {
    return inside;
  }

  void inside(Inside state) {
    inside = state;
  }

  /** Takes what it can of the bytes and says up to where; the rest has to come again, with more. */
  int feed(byte[] bytes, int from, int to) {
    var at = from;
    while (at < to) {
      var next =
          switch (inside) {
            case NOTHING -> one(bytes, at, to);
            case LONG_STRING -> string(bytes, at, at, to);
            case LONG_SEQUENCE -> restOfSequence(bytes, at, to);
          };
      if (next < 0) {
        return at;
      }
      at = next;
    }
    return at;
  }

  /** Each of these returns where the next part begins, or -1 where this one has no end yet. */
  private int one(byte[] bytes, int at, int to) {
    var first = bytes[at] & 0xff;
    if (first == ESC) {
      return at + 1 < to ? afterEscape(bytes, at, to) : -1;
    }
    if (first < 0x20) {
      parts.control(first);
      return at + 1;
    }
    if (first == DEL) {
      return at + 1;
    }
    return text(bytes, at, to);
  }

  private int text(byte[] bytes, int from, int to) {
    var end = from;
    while (end < to && (bytes[end] & 0xff) >= 0x20 && bytes[end] != DEL) {
      end++;
    }
    if (end == to) {
      end -= Math.min(end - from, Utf8.splitBytes(bytes, end));
      if (end == from) {
        return -1;
      }
    }
    parts.text(new String(bytes, from, end - from, StandardCharsets.UTF_8));
    return end;
  }

  private int afterEscape(byte[] bytes, int at, int to) {
    var second = bytes[at + 1] & 0xff;
    return switch (second) {
      case '[' -> sequence(bytes, at, to);
      case ']', 'P', 'X', '^', '_' -> string(bytes, at, at + 2, to);
      default -> second >= 0x20 && second < DEL ? escape(bytes, at, to) : at + 1;
    };
  }

  private int escape(byte[] bytes, int at, int to) {
    var end = at + 1;
    while (end < to && bytes[end] >= 0x20 && bytes[end] < 0x30) {
      end++;
      if (end - at > SEQUENCE_BYTES_MAX) {
        return end;
      }
    }
    if (end == to) {
      return -1;
    }
    if (bytes[end] < 0x30 || bytes[end] == DEL) {
      return end;
    }
    parts.escape(latin(bytes, at + 1, end), (char) bytes[end]);
    return end + 1;
  }

  private int sequence(byte[] bytes, int at, int to) {
    var end = at + 2;
    for (; end < to; end++) {
      var code = bytes[end] & 0xff;
      if (end - at > SEQUENCE_BYTES_MAX) {
        inside = Inside.LONG_SEQUENCE;
        return end;
      }
      if (code == ESC || code >= 0x80) {
        return end;
      }
      if (code == CAN || code == SUB) {
        return end + 1;
      }
      if (code >= 0x40 && code != DEL) {
        dispatch(bytes, at + 2, end);
        return end + 1;
      }
    }
    return -1;
  }

  /** Controls act also inside a sequence, as if they stood before it. */
  private void dispatch(byte[] bytes, int from, int end) {
    var body = new StringBuilder();
    for (var i = from; i < end; i++) {
      if (bytes[i] < 0x20) {
        parts.control(bytes[i]);
      } else if (bytes[i] != DEL) {
        body.append((char) bytes[i]);
      }
    }
    parts.sequence(ControlSequence.of(body.toString(), (char) bytes[end]));
  }

  private int restOfSequence(byte[] bytes, int at, int to) {
    for (var end = at; end < to; end++) {
      var code = bytes[end] & 0xff;
      if (code >= 0x40 || code == ESC || code == CAN || code == SUB) {
        inside = Inside.NOTHING;
        return code >= 0x80 || code == ESC ? end : end + 1;
      }
    }
    return to;
  }

  /** A string that began at {@code start}; all but a short command of the system is passed over. */
  private int string(byte[] bytes, int start, int from, int to) {
    for (var end = from; end < to; end++) {
      var code = bytes[end] & 0xff;
      if (inside == Inside.NOTHING && end - start > STRING_BYTES_MAX) {
        inside = Inside.LONG_STRING;
        return end;
      }
      if (code == BEL || code == CAN || code == SUB) {
        ended(code == BEL ? content(bytes, start, end) : null);
        return end + 1;
      }
      if (code == ESC) {
        if (end + 1 == to) {
          return inside == Inside.NOTHING || end == from ? -1 : end;
        }
        ended(bytes[end + 1] == '\\' ? content(bytes, start, end) : null);
        return bytes[end + 1] == '\\' ? end + 2 : end;
      }
    }
    return inside == Inside.NOTHING ? -1 : to;
  }

  private @Nullable String content(byte[] bytes, int start, int end) {
    var isCommand = inside == Inside.NOTHING && bytes[start + 1] == ']';
    return isCommand ? new String(bytes, start + 2, end - start - 2, StandardCharsets.UTF_8) : null;
  }

  private void ended(@Nullable String content) {
    inside = Inside.NOTHING;
    if (content != null) {
      parts.command(content);
    }
  }

  private static String latin(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
