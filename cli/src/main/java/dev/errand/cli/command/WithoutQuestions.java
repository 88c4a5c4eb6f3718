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
  /** A sequence or string that is longer is passed over up to its end. */
  private static final int HELD_BYTES_MAX = 4096;

  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private EscapeState state = EscapeState.TEXT;

  byte[] next(byte[] bytes) {
    var out = new ByteArrayOutputStream(bytes.length);
    for (var one : bytes) {
      next(one & 0xff, out);
    }
    return out.toByteArray();
  }

  private void next(int code, ByteArrayOutputStream out) {
    if (state == EscapeState.TEXT && code != EscapeState.ESC) {
      out.write(code);
      return;
    }
    if (held.size() < HELD_BYTES_MAX) {
      held.write(code);
    }
    state = state.after(code);
    if (state == EscapeState.TEXT) {
      if (held.size() < HELD_BYTES_MAX && !asks(held.toString(StandardCharsets.ISO_8859_1))) {
        out.writeBytes(held.toByteArray());
      }
      held.reset();
    }
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
