package dev.errand.daemon.watch;

import dev.errand.daemon.pattern.Prefilter;
import dev.errand.wire.terminal.EscapeFilter;
import org.jspecify.annotations.Nullable;

/**
 * Splits one log into lines as it is fed, in chunks of any size, and has the lines searched in
 * which a pattern may occur. It keeps no bytes: only where the line began and the state of the
 * prefilter. Unlike {@link dev.errand.daemon.output.LineReader}, which reads lines of a stored log
 * from the store, it continues in the middle of a line that still grows without reading the line
 * again.
 *
 * <p>A very long line is searched in pieces that overlap by half; where they begin depends on the
 * line alone, so a restarted daemon finds the same hits. At a terminal a carriage return ends a
 * line too, so that each text that overwrites another is a line of its own.
 */
final class PatternScanner {
  static final int PIECE_BYTES = 64 * 1024;

  /** From the start of a piece to that of the next. */
  static final int STRIDE_BYTES = PIECE_BYTES / 2;

  private static final long NONE = -1;

  private final Prefilter prefilter;
  private final Finder finder;
  private @Nullable EscapeFilter filter;

  private Prefilter.State state;
  private long at;
  private long lineStart;
  private long pieceStart;
  private long nextPiece = NONE;
  private long scannedTo = NONE;

  /** The patterns that have a hit in this line already. */
  private long hit;

  /** The rest of this line was searched before. */
  private boolean skipping;

  private boolean afterReturn;

  /**
   * A part of a line, or all of it.
   *
   * @param next where the next piece begins, if there is one
   * @param ends whether the line ends with it, as far as is known
   */
  record Piece(long lineStart, long from, long to, long next, boolean ends) {}

  /** Searches a piece for patterns and returns those with a hit; each bit is a pattern. */
  interface Finder {
    long find(Piece piece, long patterns);
  }

  /** Begins at the start of a line, or else after the line that contains {@code from}. */
  PatternScanner(
      Prefilter prefilter, boolean terminal, long from, boolean isLineStart, Finder finder) {
    this.prefilter = prefilter;
    this.finder = finder;
    this.filter = terminal ? new EscapeFilter() : null;
    this.state = prefilter.start();
    this.at = from;
    this.lineStart = from;
    this.pieceStart = from;
    this.skipping = !isLineStart;
  }

  /** The offset of the next bytes. */
  long at() {
    return at;
  }

  /** Whether a line has begun that was not searched to where it ends now. */
  boolean hasOpenLine() {
    return !skipping && at > lineStart && scannedTo != at;
  }

  /** Takes the bytes of the log from {@link #at} on; it may leave the last one. */
  void feed(byte[] bytes) {
    if (filter == null) {
      feedPlain(bytes);
    } else {
      feedTerminal(bytes, filter);
    }
  }

  /** Searches a line that has no end yet, because no more output comes for now. */
  void scanRest() {
    if (hasOpenLine()) {
      scannedTo = at;
      scan(at, true, state.foundAtEnd());
    }
  }

  /** The bytes up to here were dropped; what follows counts as a new line. */
  void jump(long to) {
    scanRest();
    at = to;
    // A sequence may begin before the gap and end within it.
    filter = filter == null ? null : new EscapeFilter();
    begin(to);
  }

  private void feedPlain(byte[] bytes) {
    var from = 0;
    while (from < bytes.length) {
      var end = indexOfBreak(bytes, from);
      var isWhole = end < bytes.length;
      // A carriage return before the break belongs to it; at the end of the chunk it must wait.
      var text = end > from && bytes[end - 1] == '\r' ? end - 1 : end;
      advance(bytes, from, text);
      if (!isWhole) {
        return;
      }
      endLine(at + end + 1 - text);
      from = end + 1;
    }
  }

  private static int indexOfBreak(byte[] bytes, int from) {
    var end = from;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  private void advance(byte[] bytes, int from, int to) {
    if (skipping) {
      at += to - from;
      return;
    }
    var next = from;
    while (next < to) {
      var count = (int) Math.min(to - next, pieceStart + PIECE_BYTES - at);
      state = prefilter.run(state, bytes, next, next + count);
      next += count;
      at += count;
      if (at == pieceStart + PIECE_BYTES) {
        nextPiece = pieceStart + STRIDE_BYTES;
        endPiece();
      }
    }
  }

  private void feedTerminal(byte[] bytes, EscapeFilter escapes) {
    for (var i = 0; i < bytes.length; i++) {
      if (nextPiece == NONE && at >= pieceStart + STRIDE_BYTES && escapes.isIdle()) {
        nextPiece = at;
      }
      if (at >= pieceStart + PIECE_BYTES && nextPiece != NONE && !skipping) {
        endPiece();
      }
      var shown = escapes.shows(bytes[i]);
      if (shown && (bytes[i] == '\n' || bytes[i] == '\r')) {
        endTerminalLine(bytes[i] == '\r');
      } else {
        if (shown && !skipping) {
          state = prefilter.run(state, bytes, i, i + 1);
        }
        at++;
      }
    }
  }

  /** Carriage return and new line together are one end. */
  private void endTerminalLine(boolean isReturn) {
    if (!isReturn && afterReturn && at == lineStart) {
      at++;
      begin(at);
    } else {
      endLine(at + 1);
    }
    afterReturn = isReturn;
  }

  private void endLine(long next) {
    if (!skipping) {
      scan(at, true, state.foundAtEnd());
    }
    at = next;
    begin(next);
  }

  private void begin(long start) {
    lineStart = start;
    pieceStart = start;
    nextPiece = NONE;
    scannedTo = NONE;
    hit = 0;
    skipping = false;
    afterReturn = false;
    state = prefilter.start();
  }

  private void endPiece() {
    scan(at, false, state.found());
    pieceStart = nextPiece;
    nextPiece = NONE;
  }

  private void scan(long to, boolean ends, long found) {
    var patterns = found & ~hit;
    if (patterns != 0) {
      hit |= finder.find(new Piece(lineStart, pieceStart, to, nextPiece, ends), patterns);
    }
  }
}
