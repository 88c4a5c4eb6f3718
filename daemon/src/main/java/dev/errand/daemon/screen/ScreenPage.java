package dev.errand.daemon.screen;

import java.util.List;

/** A screen as a page that stands alone: no script, nothing from elsewhere, all text escaped. */
final class ScreenPage {
  private static final String STYLE =
      """
      :root{--fg:#d8d8d8;--bg:#181818}
      body{margin:1em;background:#101010;color:var(--fg)}
      pre{display:inline-block;margin:0;padding:.5em;background:var(--bg);color:var(--fg);\
      font:14px/1.2 monospace}
      .cursor{outline:1px solid #ffcc66}
      """;

  private ScreenPage() {}

  static String of(Screen screen, List<String> history) {
    var out = new StringBuilder("<!doctype html>\n<html lang=\"en\">\n<head>\n");
    out.append("<meta charset=\"utf-8\">\n<title>");
    escape(out, screen.title().isEmpty() ? "screen" : screen.title());
    out.append("</title>\n<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n<pre>");
    for (var line : history) {
      escape(out, line);
      out.append('\n');
    }
    for (var row = 0; row < screen.rows(); row++) {
      row(out, screen, row);
      out.append('\n');
    }
    return out.append("</pre>\n</body>\n</html>\n").toString();
  }

  private static void row(StringBuilder out, Screen screen, int row) {
    var grid = screen.grid();
    var from = 0;
    while (from < grid.cols()) {
      var to = from + 1;
      while (to < grid.cols() && isAlike(screen, row, from, to)) {
        to++;
      }
      span(out, screen, row, from, to);
      from = to;
    }
  }

  private static boolean isAlike(Screen screen, int row, int col, int other) {
    var sameLook = screen.grid().look(row, col) == screen.grid().look(row, other);
    var isRightHalf = screen.grid().character(row, other) == 0;
    return isRightHalf
        || (sameLook && !hasCursor(screen, row, col) && !hasCursor(screen, row, other));
  }

  private static boolean hasCursor(Screen screen, int row, int col) {
    var cursor = screen.cursor();
    return cursor.visible() && cursor.row() == row && cursor.col() == col;
  }

  private static void span(StringBuilder out, Screen screen, int row, int from, int to) {
    var css = new CellStyle(screen.grid().look(row, from)).css(screen.details().inverse());
    var isCursor = hasCursor(screen, row, from);
    if (isCursor || !css.isEmpty()) {
      out.append(isCursor ? "<span class=\"cursor\"" : "<span");
      out.append(css.isEmpty() ? "" : " style=\"" + css + "\"").append('>');
    }
    var text = new StringBuilder();
    for (var col = from; col < to; col++) {
      if (screen.grid().character(row, col) != 0) {
        text.appendCodePoint(screen.grid().character(row, col));
      }
    }
    escape(out, text.toString());
    out.append(isCursor || !css.isEmpty() ? "</span>" : "");
  }

  private static void escape(StringBuilder out, String text) {
    text.codePoints()
        .forEach(it -> {
          switch (it) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            default -> out.appendCodePoint(it);
          }
        });
  }
}
