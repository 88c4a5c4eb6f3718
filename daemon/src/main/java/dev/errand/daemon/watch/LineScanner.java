package dev.errand.daemon.watch;

import dev.errand.daemon.pattern.Sieve;
import dev.errand.wire.terminal.EscapeFilter;
import org.jspecify.annotations.Nullable;

/**
 * Goes over one log line by line, however it is cut into pieces, and has those lines looked at in
 * which a pattern may occur. It keeps no bytes: only where the line began and the sieve's state.
 *
 * <p>A line that is very long is looked at in pieces of which each overlaps the next by half; where
 * these begin depends on the line alone. At a terminal a carriage return ends a line too, so that
 * each text that overwrites another is a line of its own.
 */
final class LineScanner {
  static final int PIECE_BYTES = 64 * 1024;

  /** From the start of a piece to that of the next. */
  static final int STRIDE_BYTES = PIECE_BYTES / 2;

  private static final long NONE = -1;

  private final Sieve sieve;
  private final Finder finder;
  private @Nullable EscapeFilter filter;

  private Sieve.State state;
  private long at;
  private long lineStart;
  private long pieceStart;
  private long nextPiece = NONE;
  private long lookedAt = NONE;

  /** The patterns that have had their hit in this line. */
  private long hit;

  /** What is left of this line was looked at before. */
  private boolean skipping;

  private boolean afterReturn;

  /**
   * A part of a line, or all of it.
   *
   * @param next where the next piece begins, if there is one
   * @param ends whether the line ends with it, as far as is known
   */
  record Piece(long lineStart, long from, long to, long next, boolean ends) {}

  /** Looks for patterns in a piece and answers which had a hit; each bit is a pattern. */
  interface Finder {
    long look(Piece piece, long patterns);
  }

  /**
   * Begins at a place that is the start of a line, or else goes on behind the line that it is in.
   */
  LineScanner(Sieve sieve, boolean terminal, long from, boolean isLineStart, Finder finder) {
    this.sieve = sieve;
    this.finder = finder;
    this.filter = terminal ? new EscapeFilter() : null;
    this.state = sieve.start();
    this.at = from;
    this.lineStart = from;
    this.pieceStart = from;
    this.skipping = !isLineStart;
  }

  /** Where the next bytes belong. */
  long at() {
    return at;
  }

  /** Whether a line has begun and was not looked at as far as it has come. */
  boolean hasUnseen() {
    return !skipping && at > lineStart && lookedAt != at;
  }

  /** Takes the bytes that stand in the log from its place on; it may leave the last one. */
  void feed(byte[] bytes) {
    if (filter == null) {
      feedPlain(bytes);
    } else {
      feedTerminal(bytes, filter);
    }
  }

  /** Looks at a line that has no end yet, because nothing more comes for now or for ever. */
  void lookAtRest() {
    if (hasUnseen()) {
      lookedAt = at;
      look(at, true, state.foundAtEnd());
    }
  }

  /** The bytes up to here are gone; what follows is taken for a line of its own. */
  void jump(long to) {
    lookAtRest();
    at = to;
    // What a sequence began with may lie before the gap and its end within.
    filter = filter == null ? null : new EscapeFilter();
    begin(to);
  }

  private void feedPlain(byte[] bytes) {
    var from = 0;
    while (from < bytes.length) {
      var end = indexOfBreak(bytes, from);
      var isWhole = end < bytes.length;
      // A return before the break belongs to it; whether one follows is to be seen.
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
      state = sieve.run(state, bytes, next, next + count);
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
          state = sieve.run(state, bytes, i, i + 1);
        }
        at++;
      }
    }
  }

  /** Both ends together are one. */
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
      look(at, true, state.foundAtEnd());
    }
    at = next;
    begin(next);
  }

  private void begin(long start) {
    lineStart = start;
    pieceStart = start;
    nextPiece = NONE;
    lookedAt = NONE;
    hit = 0;
    skipping = false;
    afterReturn = false;
    state = sieve.start();
  }

  private void endPiece() {
    look(at, false, state.found());
    pieceStart = nextPiece;
    nextPiece = NONE;
  }

  private void look(long to, boolean ends, long found) {
    var patterns = found & ~hit;
    if (patterns != 0) {
      hit |= finder.look(new Piece(lineStart, pieceStart, to, nextPiece, ends), patterns);
    }
  }
}
