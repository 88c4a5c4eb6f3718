package dev.errand.cli.render;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in columns as wide as their widest cell. The last column gets what is left of the line and
 * is cut there; without a width nothing is cut.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final int LAST_COLUMNS_MIN = 10;

  /** A cell's text, already safe to show, and how it stands out. */
  public record Cell(String text, Style style) {
    public static Cell of(String text) {
      return new Cell(text, Style.PLAIN);
    }
  }

  private final List<List<Cell>> rows = new ArrayList<>();

  public Table(String... titles) {
    row(List.of(titles).stream().map(it -> new Cell(it, Style.DIM)).toList());
  }

  public void row(List<Cell> cells) {
    rows.add(List.copyOf(cells));
  }

  /** The lines of the table, none wider than the given number of columns; 0 is no limit. */
  public List<String> lines(int columnsMax, boolean colour) {
    var widths = widths();
    return rows.stream().map(it -> line(it, widths, columnsMax, colour)).toList();
  }

  private int[] widths() {
    var widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (var i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], DisplayWidth.of(row.get(i).text()));
      }
    }
    return widths;
  }

  private static String line(List<Cell> row, int[] widths, int columnsMax, boolean colour) {
    var line = new StringBuilder();
    var used = 0;
    for (var i = 0; i < row.size() - 1; i++) {
      var cell = row.get(i);
      var text = DisplayWidth.padded(cell.text(), widths[i]);
      line.append(cell.style().on(text, colour)).append(GAP);
      used += widths[i] + GAP.length();
    }
    var last = row.getLast();
    var left = Math.max(LAST_COLUMNS_MIN, columnsMax - used);
    var text = columnsMax == 0 ? last.text() : DisplayWidth.cut(last.text(), left);
    return line.append(last.style().on(text, colour)).toString().stripTrailing();
  }
}
