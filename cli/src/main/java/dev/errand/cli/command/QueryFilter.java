package dev.errand.cli.command;

import dev.errand.wire.terminal.EscapeParser;
import dev.errand.wire.terminal.EscapeParser.State;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Removes from the record of a terminal what would make another terminal answer, or act beyond its
 * screen. An answer would be typed into whatever reads the keyboard after the replay, and a replay
 * must not write the clipboard. The rest passes unchanged, wherever the bytes are cut.
 */
final class QueryFilter {
  /** A longer sequence or string is left out. */
  private static final int HELD_BYTES_MAX = 4096;

  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private final EscapeParser parser = new EscapeParser();

  byte[] next(byte[] bytes) {
    var out = new ByteArrayOutputStream(bytes.length);
    for (var it : bytes) {
      next(it & 0xff, out);
    }
    return out.toByteArray();
  }

  private void next(int code, ByteArrayOutputStream out) {
    var before = parser.state();
    if (before == State.STRING_ESCAPE && code != '\\') {
      held.reset();
      held.write(EscapeParser.ESC);
    }
    switch (parser.next(code)) {
      case TEXT -> {
        held.reset();
        out.write(code);
      }
      // A terminal obeys it at once, also within a sequence.
      case CONTROL -> out.write(code);
      case INSIDE -> hold(code, before);
      case END -> {
        hold(code, before);
        if (held.size() < HELD_BYTES_MAX && !asks(held.toString(StandardCharsets.ISO_8859_1))) {
          out.writeBytes(held.toByteArray());
        }
        held.reset();
      }
      case CANCEL -> held.reset();
    }
  }

  private void hold(int code, State before) {
    if (code == EscapeParser.ESC && before != State.STRING) {
      held.reset();
    }
    if (held.size() < HELD_BYTES_MAX) {
      held.write(code);
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
      // Only titles and links pass: others query colours or write the clipboard.
      case ']' -> !sequence.matches("(?s)\u001b\\](0|1|2|8);.*");
      case 'P', 'X', '^', '_', 'Z' -> true;
      default -> false;
    };
  }
}
