package dev.errand.daemon.output;

import java.util.ArrayList;
import java.util.List;

/** A page of lines while it is filled. */
final class LineCollector {
  private final List<String> lines = new ArrayList<>();
  private final List<Long> cut = new ArrayList<>();
  private final long first;
  private final long offset;
  private long next;
  private long nextOffset;
  private long chars;
  private boolean partial;

  LineCollector(long first, long offset) {
    this.first = first;
    this.offset = offset;
    this.next = first;
    this.nextOffset = offset;
  }

  void fill(LineScanner scanner, int count) {
    while (lines.size() < count && chars < LogLines.PAGE_CHARS_MAX) {
      var piece = scanner.next();
      if (piece == null) {
        return;
      }
      var finished = scanner.finish(piece);
      add(piece);
      if (!finished) {
        partial = true;
        return;
      }
      next = piece.line() + 1;
      nextOffset = scanner.offset();
    }
  }

  private void add(LineScanner.Piece piece) {
    var text = LineText.of(piece.bytes());
    if (text.length() > LogLines.LINE_CHARS_MAX || piece.end() == LineScanner.End.MORE) {
      cut.add(piece.line());
    }
    var shown = LineText.cut(text);
    lines.add(shown);
    chars += shown.length();
  }

  LinePage end(LineIndex index) {
    var gaps = index.gapsBefore(nextOffset);
    return new LinePage(lines, first, offset, next, nextOffset, cut, partial, gaps);
  }
}
