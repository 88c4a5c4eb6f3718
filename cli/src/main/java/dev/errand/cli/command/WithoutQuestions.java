package dev.errand.cli.command;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Takes out of a terminal's record what would make another terminal answer or act beyond its
 * screen. An answer would be typed into whatever reads the keyboard after the replay, and nobody
 * who looks at a record wants his clipboard written. The rest passes unchanged, wherever the bytes
 * are cut.
 */
final class WithoutQuestions {
  private static final int ESC = 0x1b;
  private static final int BEL = 0x07;

  /** A sequence or string that is longer is passed over up to its end. */
  private static final int HELD_BYTES_MAX = 4096;

  private enum State {
    TEXT,
    ESCAPE,
    SEQUENCE,
    STRING,
    STRING_ESCAPE
  }

  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private State state = State.TEXT;

  byte[] next(byte[] bytes) {
    var out = new ByteArrayOutputStream(bytes.length);
    for (var one : bytes) {
      next(one & 0xff, out);
    }
    return out.toByteArray();
  }

  private void next(int code, ByteArrayOutputStream out) {
    if (state == State.TEXT && code != ESC) {
      out.write(code);
      return;
    }
    if (held.size() < HELD_BYTES_MAX) {
      held.write(code);
    }
    state = after(code);
    if (state == State.TEXT) {
      if (held.size() < HELD_BYTES_MAX && !asks(held.toString(StandardCharsets.ISO_8859_1))) {
        out.writeBytes(held.toByteArray());
      }
      held.reset();
    }
  }

  private State after(int code) {
    return switch (state) {
      case TEXT -> State.ESCAPE;
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

  private static boolean asks(String sequence) {
    var last = sequence.charAt(sequence.length() - 1);
    return switch (sequence.charAt(1)) {
      // Reports of attributes, state and modes, window operations, the keyboard protocol.
      case '[' ->
          "cnxt".indexOf(last) >= 0
              || sequence.endsWith("$p")
              || (last == 'q' && sequence.startsWith("\u001b[>"))
              || (last == 'u' && sequence.startsWith("\u001b[?"));
      // Only titles and links pass: colours can be asked for, and the clipboard written.
      case ']' -> !sequence.matches("(?s)\u001b\\](0|1|2|8);.*");
      case 'P', 'X', '^', '_', 'Z' -> true;
      default -> false;
    };
  }
}
