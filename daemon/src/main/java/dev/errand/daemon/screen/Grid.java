package dev.errand.daemon.screen;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.ScreenTerminal;
import org.jline.utils.WCWidth;

/** The cells of a screen, row by row. A wide character is in its left cell; the right one is 0. */
public final class Grid {
  private static final long BLANK = ' ';

  private final int rows;
  private final int cols;
  private final long[] cells;

  private Grid(int rows, int cols, long[] cells) {
    this.rows = rows;
    this.cols = cols;
    this.cells = cells;
  }

  /** Cut or filled to that size; halves of wide characters become blanks. */
  static Grid of(int rows, int cols, List<long[]> from) {
    var cells = new long[rows * cols];
    for (var row = 0; row < rows; row++) {
      var source = row < from.size() ? from.get(row) : new long[0];
      for (var col = 0; col < cols; col++) {
        cells[row * cols + col] = col < source.length ? whole(source, col, cols) : BLANK;
      }
    }
    return new Grid(rows, cols, cells);
  }

  private static long whole(long[] row, int col, int cols) {
    var character = ScreenTerminal.cellCodePoint(row[col]);
    if (character == 0) {
      var isRightHalf = col > 0 && isWide(row[col - 1]);
      return isRightHalf ? row[col] : row[col] | BLANK;
    }
    if (!isWide(row[col])) {
      return row[col];
    }
    var hasRightHalf =
        col + 1 < Math.min(cols, row.length) && ScreenTerminal.cellCodePoint(row[col + 1]) == 0;
    return hasRightHalf ? row[col] : (row[col] & ~0xffffffffL) | BLANK;
  }

  private static boolean isWide(long cell) {
    var character = ScreenTerminal.cellCodePoint(cell);
    return character > 0x7f && WCWidth.wcwidth(character) == 2;
  }

  public int rows() {
    return rows;
  }

  public int cols() {
    return cols;
  }

  /** The character there; 0 right of a wide one. */
  public int character(int row, int col) {
    return ScreenTerminal.cellCodePoint(cells[row * cols + col]);
  }

  /** Colours and style there, as bits that are equal for equal styles. */
  long look(int row, int col) {
    return cells[row * cols + col] & ~0xffffffffL;
  }

  /** The text of a row without the blanks at its end. */
  public String line(int row) {
    var text = new StringBuilder();
    for (var col = 0; col < cols; col++) {
      var character = character(row, col);
      if (character != 0) {
        text.appendCodePoint(character);
      }
    }
    var end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }

  /** All rows as text. */
  public List<String> lines() {
    var lines = new ArrayList<String>(rows);
    for (var row = 0; row < rows; row++) {
      lines.add(line(row));
    }
    return lines;
  }
}
