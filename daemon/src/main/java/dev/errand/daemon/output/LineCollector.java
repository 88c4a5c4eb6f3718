package dev.errand.daemon.output;

import dev.errand.core.task.LinePage;
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

  /** A line whose end was not found yet. */
  private LineReader.@Nullable Piece unfinished;

  LineCollector(long first, long offset) {
    this.first = first;
    this.offset = offset;
    this.next = first;
    this.nextOffset = offset;
  }

  /** Reads until there are {@code count} lines; false if the time of the reader was over before. */
  boolean fill(LineReader reader, int count) {
    while (lines.size() < count && chars < LogLines.PAGE_CHARS_MAX) {
      var piece = unfinished == null ? reader.next() : unfinished;
      if (piece == null) {
        return !reader.late();
      }
      var finished = reader.finish(piece);
      if (reader.late()) {
        unfinished = piece;
        return false;
      }
      unfinished = null;
      add(piece, piece.end() == LineReader.End.MORE ? reader.lastStates(piece) : null);
      if (!finished) {
        partial = true;
        return true;
      }
      next = piece.line() + 1;
      nextOffset = reader.offset();
    }
    return true;
  }

  /** Of a long line its end is shown where it was written over there, else its beginning. */
  private void add(LineReader.Piece piece, byte @Nullable [] lastStates) {
    var text = LineText.of(lastStates == null ? piece.bytes() : lastStates);
    var isBeginning = lastStates == null && piece.end() == LineReader.End.MORE;
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
