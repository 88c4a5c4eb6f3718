package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogGap;
import dev.errand.core.task.LogSpan;
import dev.errand.core.task.Utf8;
import dev.errand.core.time.Time;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log line by line, from a mark on. A line ends with a new line, at a gap, or with the log.
 * A very long line comes in pieces that overlap, so that memory does not grow with it and no match
 * across two pieces is missed.
 */
final class LineReader {
  static final int PIECE_BYTES_MAX = 64 * 1024;
  static final int OVERLAP_BYTES = 4 * 1024;
  private static final int CHUNK_BYTES = 256 * 1024;

  private final LogStore logs;
  private final LogSpan log;
  private final LineIndex index;
  private final Time clock;
  private final long edition;

  private byte[] buffer = new byte[0];
  private int at;

  /** Where in the log the first byte of the buffer stands. */
  private long base;

  private long line;
  private long lineStart;

  /** Where the line before this one ended. */
  private long passedEnd;

  private long gapEnd = -1;
  private long untilTicks = Long.MAX_VALUE;
  private boolean late;

  /** What a piece ends with. */
  enum End {
    LINE,
    /** The same line continues in the next piece. */
    MORE,
    /** The log ends here so far, and its last line may grow. */
    OPEN
  }

  /** Bytes of one line, without its end; {@code offset} is where they stand in the log. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Piece(long line, long lineStart, long offset, byte[] bytes, End end) {
    boolean beginsLine() {
      return offset == lineStart;
    }
  }

  LineReader(LogStore logs, LogSpan log, LineIndex index, LineIndex.Mark from, Time clock) {
    this.logs = logs;
    this.log = log;
    this.index = index;
    this.clock = clock;
    this.edition = index.edition();
    this.base = from.offset();
    this.line = from.line();
    this.lineStart = from.lineStart();
  }

  /**
   * It stops at this time, in ticks of the clock, and then {@link #late} is true. With a later time
   * it continues where it stopped.
   */
  void stopAt(long ticks) {
    untilTicks = ticks;
    late = false;
  }

  /** The offset of what comes next. */
  long offset() {
    return base + at;
  }

  /** The number of the line that comes next, or continues. */
  long line() {
    return line;
  }

  /** The number of the first line after what was read so far. */
  long nextLine() {
    return offset() > lineStart ? line + 1 : line;
  }

  boolean late() {
    return late;
  }

  boolean isTimeOver() {
    return untilTicks != Long.MAX_VALUE && clock.ticks() - untilTicks >= 0;
  }

  /** Moves to the beginning of that line; false if the log or the time ends before. */
  boolean skipToLine(long wanted) {
    while (line < wanted) {
      var newline = find(buffer.length);
      if (newline >= 0) {
        at = newline + 1;
        beginLine();
      } else {
        at = buffer.length;
        if (!readOn()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Moves to that offset, or past the gap that contains it; false if the log ends before. */
  boolean skipToOffset(long wanted) {
    while (offset() < wanted) {
      var newline = find((int) Math.min(buffer.length, wanted - base));
      if (newline >= 0) {
        at = newline + 1;
        beginLine();
      } else {
        at = (int) Math.min(buffer.length, wanted - base);
        if (offset() < wanted && !readOn()) {
          return false;
        }
      }
    }
    return true;
  }

  /** The next piece; null at the end of the log, or if the time is over. */
  @Nullable Piece next() {
    while (true) {
      var newline = find(Math.min(buffer.length, at + PIECE_BYTES_MAX));
      if (newline >= 0) {
        return take(newline, 1, End.LINE);
      }
      if (buffer.length - at >= PIECE_BYTES_MAX) {
        return part();
      }
      if (!readOn()) {
        return rest();
      }
    }
  }

  /** Moves past the line of a piece; false if that line is not complete yet or the time is over. */
  boolean finish(Piece piece) {
    return switch (piece.end()) {
      case LINE -> true;
      case MORE -> skipToLine(piece.line() + 1) || (log.ended() && !late);
      case OPEN -> false;
    };
  }

  /**
   * The end of a line that is longer than a piece and was read, if carriage returns overwrote it
   * there; else null. Begins with a whole state.
   */
  byte @Nullable [] lastStates(Piece piece) {
    var end = line > piece.line() ? passedEnd : offset();
    var from = Math.max(piece.lineStart(), end - PIECE_BYTES_MAX);
    var bytes = StoredBytes.read(logs, log.taskId(), log.stream(), from, end);
    var last = bytes.length;
    while (last > 0 && bytes[last - 1] == '\r') {
      last--;
    }
    for (var i = 0; i < last; i++) {
      if (bytes[i] == '\r') {
        return Arrays.copyOfRange(bytes, i + 1, last);
      }
    }
    return null;
  }

  private Piece part() {
    var end = at + PIECE_BYTES_MAX;
    var whole = end - Utf8.splitBytes(buffer, end);
    var piece = take(whole, 0, End.MORE);
    at = whole - OVERLAP_BYTES;
    at += Utf8.restBytes(Arrays.copyOfRange(buffer, at, whole));
    return piece;
  }

  /** The rest before a gap, or at the end of the log. */
  private @Nullable Piece rest() {
    if (late || at == buffer.length) {
      return null;
    }
    var ended = log.ended() || gapEnd >= 0;
    return take(buffer.length, 0, ended ? End.LINE : End.OPEN);
  }

  private Piece take(int end, int newline, End how) {
    var bytes = Arrays.copyOfRange(buffer, at, end);
    var piece = new Piece(line, lineStart, offset(), bytes, how);
    at = end + newline;
    if (newline > 0) {
      beginLine();
    }
    return piece;
  }

  private void beginLine() {
    line++;
    lineStart = offset();
    passedEnd = lineStart - 1;
  }

  private int find(int end) {
    for (var i = at; i < end; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /**
   * Appends more bytes to those not taken yet; false at a gap after unread bytes, or at the end.
   */
  private boolean readOn() {
    if (gapEnd >= 0) {
      return passGap();
    }
    var end = base + buffer.length;
    if (end >= log.total()) {
      return false;
    }
    index.passed(new LineIndex.Mark(offset(), line, lineStart), edition);
    if (isTimeOver()) {
      late = true;
      return false;
    }
    try {
      var more = logs.read(log.taskId(), log.stream(), end, wanted(end));
      append(more);
      return more.length > 0;
    } catch (ErrandException e) {
      gapEnd = Math.min(log.total(), LogStore.afterDropped(e));
      return passGap();
    }
  }

  private int wanted(long end) {
    return (int) Math.min(CHUNK_BYTES, log.total() - end);
  }

  private void append(byte[] more) {
    var left = buffer.length - at;
    var grown = Arrays.copyOfRange(buffer, at, at + left + more.length);
    System.arraycopy(more, 0, grown, left, more.length);
    base += at;
    at = 0;
    buffer = grown;
  }

  /** The line before a gap is returned first; it ends there, and another begins after the gap. */
  private boolean passGap() {
    if (at < buffer.length) {
      return false;
    }
    var from = offset();
    line += from > lineStart ? 1 : 0;
    passedEnd = from;
    lineStart = gapEnd;
    index.passed(new LogGap(line, from, gapEnd), edition);
    base = gapEnd;
    buffer = new byte[0];
    at = 0;
    gapEnd = -1;
    return true;
  }
}
