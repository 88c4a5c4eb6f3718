package dev.errand.daemon.output;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
      add(piece, piece.end() == LineScanner.End.MORE ? scanner.lastStates(piece) : null);
      if (!finished) {
        partial = true;
        return;
      }
      next = piece.line() + 1;
      nextOffset = scanner.offset();
    }
  }

  /** Of a long line its end is shown where it was written over there, else its beginning. */
  private void add(LineScanner.Piece piece, byte @Nullable [] lastStates) {
    var text = LineText.of(lastStates == null ? piece.bytes() : lastStates);
    var isBeginning = lastStates == null && piece.end() == LineScanner.End.MORE;
    if (text.length() > LogLines.LINE_CHARS_MAX || isBeginning) {
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
