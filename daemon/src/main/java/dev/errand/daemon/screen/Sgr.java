package dev.errand.daemon.screen;

import java.util.ArrayList;
import java.util.List;

/**
 * Colours and styles, written so that the emulator understands them: one at a time, with semicolons
 * only, and none that it would take for something else.
 */
final class Sgr {
  /** The one that the emulator gets wrong: it must be done to its field. */
  static final String DEFAULT_BACKGROUND = "49";

  private static final int FOREGROUND = 38;
  private static final int BACKGROUND = 48;
  private static final int UNDERLINE_COLOUR = 58;
  private static final int DOUBLE_UNDERLINE = 21;

  private Sgr() {}

  /** The attributes of the parameters, each as a sequence of its own. */
  static List<String> pieces(String parameters) {
    var pieces = new ArrayList<String>();
    var parts = parameters.split(";", -1);
    for (var i = 0; i < parts.length; i++) {
      if (parts[i].indexOf(':') >= 0) {
        addWithColons(pieces, parts[i].split(":", -1));
        continue;
      }
      var code = ControlSequence.number(parts[i]);
      if (code == FOREGROUND || code == BACKGROUND || code == UNDERLINE_COLOUR) {
        i = addColour(pieces, code, parts, i);
      } else if (code >= 0) {
        pieces.add(Integer.toString(code == DOUBLE_UNDERLINE ? 4 : code));
      }
    }
    return pieces;
  }

  /** Adds the colour that begins there; returns where it ends. */
  private static int addColour(List<String> pieces, int code, String[] parts, int at) {
    var kind = at + 1 < parts.length ? ControlSequence.number(parts[at + 1]) : -1;
    var numbers = kind == 5 ? 1 : kind == 2 ? 3 : 0;
    if (numbers == 0 || at + 1 + numbers >= parts.length) {
      return parts.length;
    }
    add(pieces, code, kind, parts, at + 2);
    return at + 1 + numbers;
  }

  private static void addWithColons(List<String> pieces, String[] parts) {
    var code = ControlSequence.number(parts[0]);
    var kind = ControlSequence.number(parts[1]);
    if (code == 4) {
      pieces.add(kind == 0 ? "24" : "4");
    } else if (kind == 5 && parts.length > 2) {
      add(pieces, code, kind, parts, 2);
    } else if (kind == 2 && parts.length >= 5) {
      // With six parts or more, the third names a colour space.
      add(pieces, code, kind, parts, parts.length == 5 ? 2 : 3);
    }
  }

  private static void add(List<String> pieces, int code, int kind, String[] parts, int at) {
    if (code != FOREGROUND && code != BACKGROUND) {
      return;
    }
    var piece = new StringBuilder().append(code).append(';').append(kind);
    for (var i = at; i < at + (kind == 5 ? 1 : 3); i++) {
      piece.append(';').append(Math.clamp(ControlSequence.number(parts[i]), 0, 255));
    }
    pieces.add(piece.toString());
  }
}
