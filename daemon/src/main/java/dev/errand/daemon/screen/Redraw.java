package dev.errand.daemon.screen;

import java.util.ArrayList;
import java.util.List;

/**
 * A screen as the sequences that bring a fresh terminal into the same state: what is visible, and
 * the modes that affect the next bytes.
 */
final class Redraw {
  private static final String CSI = "\u001b[";
  private static final int TAB_WIDTH = 8;

  private final Screen screen;
  private final ScreenDetails details;
  private final StringBuilder out = new StringBuilder();

  private Redraw(Screen screen) {
    this.screen = screen;
    this.details = screen.details();
  }

  static String of(Screen screen) {
    var redraw = new Redraw(screen);
    redraw.draw();
    return redraw.out.toString();
  }

  private void draw() {
    out.append(CSI).append("!p").append(CSI).append("r\u001b(B\u001b)B\u000f").append(CSI);
    out.append("0m").append(CSI).append("?25l");
    if (!screen.title().isEmpty()) {
      out.append("\u001b]2;").append(screen.title()).append('\u0007');
    }
    if (details.scrollTop() != 0 || details.scrollEnd() != screen.rows()) {
      out.append(CSI).append(details.scrollTop() + 1).append(';').append(details.scrollEnd());
      out.append('r');
    }
    var hidden = details.hidden();
    if (hidden != null) {
      grid(hidden.grid());
      savedCursor(hidden.saved());
      // The mode that most programs use would save the cursor once more.
      out.append(CSI).append("?1047h");
    }
    grid(screen.grid());
    tabs();
    savedCursor(details.saved());
    modes();
    cursor();
    out.append(new CellStyle(details.look()).sequence());
    out.append(CSI).append(screen.cursor().visible() ? "?25h" : "?25l");
  }

  private void grid(Grid grid) {
    out.append(CSI).append("0m").append(CSI).append('H').append(CSI).append("2J");
    var look = CellStyle.PLAIN;
    for (var row = 0; row < grid.rows(); row++) {
      var end = end(grid, row);
      if (end == 0) {
        continue;
      }
      moveTo(row, 0);
      for (var col = 0; col < end; col++) {
        if (grid.character(row, col) == 0) {
          continue;
        }
        if (grid.look(row, col) != look) {
          look = grid.look(row, col);
          out.append(new CellStyle(look).sequence());
        }
        out.appendCodePoint(grid.character(row, col));
      }
    }
    out.append(CSI).append("0m");
  }

  /** Where only plain blanks follow. */
  private static int end(Grid grid, int row) {
    var end = grid.cols();
    while (end > 0
        && grid.character(row, end - 1) == ' '
        && grid.look(row, end - 1) == CellStyle.PLAIN) {
      end--;
    }
    return end;
  }

  private void moveTo(int row, int col) {
    out.append(CSI).append(row + 1).append(';').append(col + 1).append('H');
  }

  private void tabs() {
    var stops = details.tabs().stream().filter(it -> it < screen.cols()).toList();
    if (stops.equals(usualTabs())) {
      return;
    }
    out.append(CSI).append("3g");
    for (var col : stops) {
      moveTo(0, col);
      out.append("\u001bH");
    }
  }

  private List<Integer> usualTabs() {
    var stops = new ArrayList<Integer>();
    for (var col = TAB_WIDTH; col < screen.cols(); col += TAB_WIDTH) {
      stops.add(col);
    }
    return stops;
  }

  private void savedCursor(SavedCursor saved) {
    flag(saved.origin(), "?6h");
    moveTo(Math.max(0, saved.row() - (saved.origin() ? details.scrollTop() : 0)), saved.col());
    out.append(new CellStyle(saved.look()).sequence());
    charsets(new ScreenDetails.Charsets(saved.charset(), saved.charsets()));
    flag(!saved.wraps(), "?7l");
    out.append("\u001b7");
    flag(!saved.wraps(), "?7h");
    flag(saved.origin(), "?6l");
    out.append("\u001b(B\u001b)B\u000f");
  }

  private void charsets(ScreenDetails.Charsets charsets) {
    out.append(charsets.sets().getFirst() == ScreenDetails.Charsets.LINE_DRAWING ? "\u001b(0" : "");
    out.append(charsets.sets().getLast() == ScreenDetails.Charsets.LINE_DRAWING ? "\u001b)0" : "");
    out.append(charsets.selected() == 1 ? "\u000e" : "");
  }

  private void modes() {
    details.modes().forEach(out::append);
    flag(details.newLines(), "20h");
    flag(details.inverse(), "?5h");
    flag(details.origin(), "?6h");
  }

  /** A pending wrap can only be restored by writing the last column again. */
  private void cursor() {
    var top = details.origin() ? details.scrollTop() : 0;
    var row = screen.cursor().row();
    var col = screen.cursor().col();
    if (details.wrapIsDue()) {
      col -= screen.grid().character(row, col) == 0 && col > 0 ? 1 : 0;
      moveTo(row - top, col);
      out.append(new CellStyle(screen.grid().look(row, col)).sequence());
      out.appendCodePoint(screen.grid().character(row, col));
    } else {
      moveTo(row - top, col);
    }
    charsets(details.charsets());
    flag(details.inserts(), "4h");
    flag(!details.wraps(), "?7l");
  }

  private void flag(boolean isOn, String sequence) {
    if (isOn) {
      out.append(CSI).append(sequence);
    }
  }
}
