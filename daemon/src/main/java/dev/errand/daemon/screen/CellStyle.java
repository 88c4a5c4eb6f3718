package dev.errand.daemon.screen;

import java.util.HashMap;
import java.util.Map;
import org.jline.utils.Colors;
import org.jline.utils.ScreenTerminal;

/** Colours and style of a cell, and how they are written for a terminal and for a page. */
final class CellStyle {
  static final long PLAIN = 0;

  private static final int BASE_COLOURS = 16;

  /** The emulator keeps four bits of each colour; this is the first of the palette that it was. */
  private static final Map<Integer, Integer> PALETTE = palette();

  private final long bits;

  CellStyle(long bits) {
    this.bits = bits;
  }

  private static Map<Integer, Integer> palette() {
    var palette = new HashMap<Integer, Integer>();
    for (var i = 0; i < 256; i++) {
      var rgb = Colors.rgbColor(i);
      var kept = ((rgb >> 20) & 0xf) << 8 | ((rgb >> 12) & 0xf) << 4 | ((rgb >> 4) & 0xf);
      palette.putIfAbsent(kept, i);
    }
    return Map.copyOf(palette);
  }

  /** The sequence that sets this style in a terminal, whatever it had. */
  String sequence() {
    var codes = new StringBuilder("\u001b[0");
    append(codes, ScreenTerminal.cellBold(bits), 1);
    append(codes, ScreenTerminal.cellDim(bits), 2);
    append(codes, ScreenTerminal.cellItalic(bits), 3);
    append(codes, ScreenTerminal.cellUnderline(bits), 4);
    append(codes, ScreenTerminal.cellInverse(bits), 7);
    append(codes, ScreenTerminal.cellConceal(bits), 8);
    if (ScreenTerminal.cellHasForeground(bits)) {
      colour(codes, ScreenTerminal.cellForeground(bits), 30);
    }
    if (ScreenTerminal.cellHasBackground(bits)) {
      colour(codes, ScreenTerminal.cellBackground(bits), 40);
    }
    return codes.append('m').toString();
  }

  private static void append(StringBuilder codes, boolean isOn, int code) {
    if (isOn) {
      codes.append(';').append(code);
    }
  }

  /** By its number where it is one of the sixteen, so that it follows the viewer's own palette. */
  private static void colour(StringBuilder codes, int kept, int first) {
    var number = PALETTE.getOrDefault(kept, -1);
    if (number >= 0 && number < BASE_COLOURS) {
      codes.append(';').append(number < 8 ? first + number : first + 60 + number - 8);
    } else if (number >= 0) {
      codes.append(';').append(first + 8).append(";5;").append(number);
    } else {
      var rgb = ScreenTerminal.cellColorRgb(kept);
      codes.append(';').append(first + 8).append(";2");
      codes.append(';').append((rgb >> 16) & 0xff);
      codes.append(';').append((rgb >> 8) & 0xff);
      codes.append(';').append(rgb & 0xff);
    }
  }

  /** The declarations of a style attribute; empty for the plain style. */
  String css(boolean isInverse) {
    var foreground = "var(--fg)";
    var background = "var(--bg)";
    if (ScreenTerminal.cellHasForeground(bits)) {
      foreground = hex(ScreenTerminal.cellForeground(bits));
    }
    if (ScreenTerminal.cellHasBackground(bits)) {
      background = hex(ScreenTerminal.cellBackground(bits));
    }
    var swapped = ScreenTerminal.cellInverse(bits) != isInverse;
    var css = new StringBuilder();
    if (swapped || ScreenTerminal.cellHasForeground(bits)) {
      css.append("color:").append(swapped ? background : foreground).append(';');
    }
    if (swapped || ScreenTerminal.cellHasBackground(bits)) {
      css.append("background:").append(swapped ? foreground : background).append(';');
    }
    css.append(ScreenTerminal.cellBold(bits) ? "font-weight:bold;" : "");
    css.append(ScreenTerminal.cellDim(bits) ? "opacity:.6;" : "");
    css.append(ScreenTerminal.cellItalic(bits) ? "font-style:italic;" : "");
    css.append(ScreenTerminal.cellUnderline(bits) ? "text-decoration:underline;" : "");
    css.append(ScreenTerminal.cellConceal(bits) ? "visibility:hidden;" : "");
    return css.toString();
  }

  private static String hex(int kept) {
    return "#%06x".formatted(ScreenTerminal.cellColorRgb(kept));
  }
}
