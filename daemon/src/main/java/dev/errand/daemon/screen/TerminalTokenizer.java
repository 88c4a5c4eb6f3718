package dev.errand.daemon.screen;

import dev.errand.core.task.Utf8;
import dev.errand.wire.terminal.EscapeParser;
import dev.errand.wire.terminal.EscapeParser.Part;
import dev.errand.wire.terminal.EscapeParser.State;
import java.nio.charset.StandardCharsets;

/**
 * Splits the bytes that a program writes to a terminal into text, controls and sequences.
 *
 * <p>Between two calls it keeps only whether it is inside something too long to matter: what is cut
 * at the end of the bytes (a character, a sequence) is not consumed, and comes again with the next
 * call. So the result does not depend on where the stream was cut, and a position in the stream is
 * only a number.
 */
final class TerminalTokenizer {
  /** A longer title, picture or clipboard is skipped. */
  static final int STRING_BYTES_MAX = 4096;

  /** No known sequence is this long. */
  static final int SEQUENCE_BYTES_MAX = 256;

  private static final int DEL = 0x7f;

  /** Receives the parts of the stream. */
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
  private final EscapeParser parser = new EscapeParser();
  private Inside inside = Inside.NOTHING;

  TerminalTokenizer(Parts parts) {
    this.parts = parts;
  }

  Inside inside() {
    return inside;
  }

  void inside(Inside state) {
    inside = state;
  }

  /** Takes what is complete and returns its end; the rest has to come again, with more bytes. */
  int feed(byte[] bytes, int from, int to) {
    var at = from;
    while (at < to) {
      var isText = inside == Inside.NOTHING && isText(bytes[at]);
      var next = isText ? text(bytes, at, to) : other(bytes, at, to);
      if (next < 0) {
        return at;
      }
      at = next;
    }
    return at;
  }

  private static boolean isText(byte value) {
    return (value & 0xff) >= 0x20 && value != DEL;
  }

  /** Returns where the next part begins, or -1 where this one has no end yet; so do the others. */
  private int text(byte[] bytes, int from, int to) {
    var end = from;
    while (end < to && isText(bytes[end])) {
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

  /** A control, an escape sequence, a control sequence or a string. */
  private int other(byte[] bytes, int start, int to) {
    parser.reset(
        switch (inside) {
          case NOTHING -> State.TEXT;
          case LONG_STRING -> State.STRING;
          case LONG_SEQUENCE -> State.SEQUENCE;
        });
    for (var at = start; at < to; at++) {
      var before = parser.state();
      var part = parser.next(bytes[at] & 0xff);
      if (drops(before, part, bytes[at])) {
        inside = Inside.NOTHING;
        return before == State.STRING_ESCAPE ? at - 1 : at;
      }
      if (isLast(part, before)) {
        if (part != Part.CANCEL && inside == Inside.NOTHING) {
          report(bytes, start, at, before);
        }
        inside = Inside.NOTHING;
        return at + 1;
      }
      if (inside == Inside.NOTHING && isTooLong(at - start)) {
        inside =
            switch (parser.state()) {
              case SEQUENCE -> Inside.LONG_SEQUENCE;
              case STRING -> Inside.LONG_STRING;
              case TEXT, ESCAPE, STRING_ESCAPE -> Inside.NOTHING;
            };
        return at + 1;
      }
    }
    return passedOver(start, to);
  }

  /** Whether this byte begins something, and what had no end yet is left out. */
  private static boolean drops(State before, Part part, byte value) {
    return switch (before) {
      case TEXT, STRING -> false;
      case ESCAPE -> part == Part.TEXT || part == Part.CONTROL || value == EscapeParser.ESC;
      case SEQUENCE -> part == Part.TEXT || value == EscapeParser.ESC;
      case STRING_ESCAPE -> value != '\\';
    };
  }

  private static boolean isLast(Part part, State before) {
    return switch (part) {
      case END, CANCEL -> true;
      case CONTROL -> before == State.TEXT;
      case TEXT, INSIDE -> false;
    };
  }

  private boolean isTooLong(int bytes) {
    return switch (parser.state()) {
      case ESCAPE, SEQUENCE -> bytes > SEQUENCE_BYTES_MAX;
      case STRING -> bytes > STRING_BYTES_MAX;
      case TEXT, STRING_ESCAPE -> false;
    };
  }

  /** Where the bytes are cut: within something too long only an ESC has to come again. */
  private int passedOver(int start, int to) {
    var end = parser.state() == State.STRING_ESCAPE ? to - 1 : to;
    return inside == Inside.NOTHING || end == start ? -1 : end;
  }

  /** {@code before} is the state before the last byte, which shows what ended. */
  private void report(byte[] bytes, int start, int last, State before) {
    switch (before) {
      case TEXT -> control(bytes[last]);
      case ESCAPE ->
          parts.escape(
              new String(bytes, start + 1, last - start - 1, StandardCharsets.ISO_8859_1),
              (char) bytes[last]);
      case SEQUENCE -> sequence(bytes, start + 2, last);
      case STRING -> string(bytes, start, last);
      case STRING_ESCAPE -> string(bytes, start, last - 1);
    }
  }

  private void control(byte code) {
    if (code != DEL) {
      parts.control(code);
    }
  }

  /** Controls act also inside a sequence, as if they stood before it. */
  private void sequence(byte[] bytes, int from, int last) {
    var body = new StringBuilder();
    for (var i = from; i < last; i++) {
      if (isText(bytes[i])) {
        body.append((char) bytes[i]);
      } else {
        control(bytes[i]);
      }
    }
    parts.sequence(ControlSequence.of(body.toString(), (char) bytes[last]));
  }

  private void string(byte[] bytes, int start, int end) {
    if (bytes[start + 1] == ']') {
      parts.command(new String(bytes, start + 2, end - start - 2, StandardCharsets.UTF_8));
    }
  }
}
