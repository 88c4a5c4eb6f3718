package dev.errand.cli.command;

import java.io.ByteArrayOutputStream;

/**
 * Takes control sequences and control characters out of a stream of bytes, wherever it is cut; line
 * ends and tabs stay. Bytes of text are not looked at, so that what is no UTF-8 stays as it was.
 */
final class PlainText {
  private static final int ESC = 0x1b;
  private static final int BEL = 0x07;

  private enum State {
    TEXT,
    ESCAPE,
    SEQUENCE,
    STRING,
    STRING_ESCAPE
  }

  private State state = State.TEXT;

  byte[] next(byte[] bytes) {
    var plain = new ByteArrayOutputStream(bytes.length);
    for (var one : bytes) {
      var code = one & 0xff;
      if (state == State.TEXT && (code >= 0x20 || code == '\n' || code == '\t') && code != 0x7f) {
        plain.write(code);
      } else {
        state = after(code);
      }
    }
    return plain.toByteArray();
  }

  private State after(int code) {
    return switch (state) {
      case TEXT -> code == ESC ? State.ESCAPE : State.TEXT;
      case ESCAPE -> afterEscape(code);
      case SEQUENCE -> code >= 0x40 && code < 0x7f ? State.TEXT : State.SEQUENCE;
      case STRING -> code == ESC ? State.STRING_ESCAPE : code == BEL ? State.TEXT : State.STRING;
      case STRING_ESCAPE -> code == '\\' ? State.TEXT : State.STRING;
    };
  }

  private static State afterEscape(int code) {
    return switch (code) {
      case '[' -> State.SEQUENCE;
      case ']', 'P', 'X', '^', '_' -> State.STRING;
      default -> code >= 0x20 && code < 0x30 ? State.ESCAPE : State.TEXT;
    };
  }
}
