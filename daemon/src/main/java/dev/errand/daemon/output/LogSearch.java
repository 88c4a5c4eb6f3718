package dev.errand.daemon.output;

import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Job;
import dev.errand.daemon.pattern.Sieve;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One search through a log, in steps: each line that matches is told once, with those around it.
 */
final class LogSearch implements Job {
  /** Of a long line this much is shown before the place that matched. */
  private static final int BEFORE_MATCH_CHARS = 500;

  private static final byte DELETE = 0x7f;

  private final SearchRequest request;
  private final LineScanner scanner;
  private final Time clock;
  private final long deadlineTicks;
  private final Sieve sieve;
  private final Deque<String> before;
  private final List<Match> matches = new ArrayList<>();
  private boolean searched;
  private boolean more;
  private long chars;
  private long next;
  private long nextOffset;

  /** Matches, in a line whose end is still looked for. */
  private @Nullable Found unfinished;

  /** Stands behind the last match, and its end is still looked for. */
  private LineScanner.@Nullable Piece unfinishedAfter;

  private record Found(LineScanner.Piece piece, Shown shown) {}

  /** A match to which lines behind it are still added. */
  private record Match(
      LineScanner.Piece piece, String text, boolean cut, List<String> before, List<String> after) {
    SearchPage.Found found() {
      return new SearchPage.Found(piece.line(), piece.offset(), text, cut, before, after);
    }
  }

  /** What is shown of a line that matches. */
  private record Shown(String text, boolean cut) {}

  /** Begins where the scanner stands, and takes so much time at most. */
  LogSearch(
      SearchRequest request,
      LineScanner scanner,
      List<String> before,
      Time clock,
      Duration atMost) {
    this.request = request;
    this.scanner = scanner;
    this.clock = clock;
    this.deadlineTicks = clock.ticks() + atMost.toNanos();
    this.sieve = new Sieve(List.of(request.pattern().pattern()));
    this.before = new ArrayDeque<>(before);
    this.next = scanner.line();
    this.nextOffset = scanner.offset();
  }

  @Override
  public boolean goOn(long untilNanos) {
    scanner.stopAt(untilNanos);
    searched = searched || search();
    if (searched && addAfter()) {
      return true;
    }
    return isOver();
  }

  private boolean isOver() {
    return clock.ticks() - deadlineTicks >= 0;
  }

  SearchPage page(LineIndex index) {
    return new SearchPage(
        matches.stream().map(Match::found).toList(),
        next,
        nextOffset,
        more || !searched,
        index.gapsBefore(nextOffset));
  }

  /** Searches on; false where the time of the scanner was over before it had all that is wanted. */
  private boolean search() {
    while (finishFound()) {
      if (matches.size() >= request.limit() || chars > LogLines.PAGE_CHARS_MAX) {
        more = true;
        return true;
      }
      var piece = scanner.isTimeOver() ? null : scanner.next();
      if (piece == null) {
        return !scanner.late() && !scanner.isTimeOver();
      }
      var shown = match(piece);
      if (shown == null && piece.end() == LineScanner.End.OPEN) {
        // What is to come may make it match, so the next search begins with this line again.
        return true;
      }
      if (shown == null) {
        passed(piece, matches.size());
      } else {
        unfinished = new Found(piece, shown);
      }
    }
    return false;
  }

  /** Goes behind the line that matched last; false where the time was over before. */
  private boolean finishFound() {
    var it = unfinished;
    if (it == null) {
      return true;
    }
    scanner.finish(it.piece());
    if (scanner.late() && !isOver()) {
      return false;
    }
    unfinished = null;
    found(it.piece(), last(it.piece(), it.shown()));
    passed(it.piece(), matches.size() - 1);
    return true;
  }

  private @Nullable Shown match(LineScanner.Piece piece) {
    if (cannotMatch(piece.bytes())) {
      return null;
    }
    var whole = piece.beginsLine() && piece.end() != LineScanner.End.MORE;
    return match(piece.bytes(), whole);
  }

  /** How a long line stood in the end, if that matches too. */
  private Shown last(LineScanner.Piece piece, Shown shown) {
    var bytes = piece.end() == LineScanner.End.MORE ? scanner.lastStates(piece) : null;
    var last = bytes == null ? null : match(bytes, true);
    return last == null ? shown : last;
  }

  /** The last state that matches. */
  private @Nullable Shown match(byte[] bytes, boolean whole) {
    for (var text : LineText.states(bytes).reversed()) {
      var matcher = request.pattern().matcher(text);
      if (matcher.find()) {
        return shown(text, matcher.start(), whole);
      }
    }
    return null;
  }

  private static Shown shown(String text, int start, boolean whole) {
    if (text.length() <= LogLines.LINE_CHARS_MAX) {
      return new Shown(text, !whole);
    }
    var from = Math.max(0, start - BEFORE_MATCH_CHARS);
    from -= from > 0 && Character.isLowSurrogate(text.charAt(from)) ? 1 : 0;
    var shown = LineText.cut(text.substring(from));
    return new Shown(from == 0 ? shown : "…" + shown, true);
  }

  /** Most lines are told so in one quick pass; those that are no plain ASCII are looked at. */
  private boolean cannotMatch(byte[] bytes) {
    for (var value : bytes) {
      if ((value < ' ' && value != '\t') || value == DELETE) {
        return false;
      }
    }
    return sieve.run(sieve.start(), bytes, 0, bytes.length).foundAtEnd() == 0;
  }

  private void found(LineScanner.Piece piece, Shown shown) {
    if (!piece.beginsLine()) {
      // The beginning of this very line.
      before.pollLast();
    }
    var lines = List.copyOf(before);
    matches.add(new Match(piece, shown.text(), shown.cut(), lines, new ArrayList<>()));
    chars += shown.text().length() + lines.stream().mapToInt(String::length).sum();
  }

  /** The next search begins behind this line. */
  private void passed(LineScanner.Piece piece, int matchesBefore) {
    next = scanner.line();
    nextOffset = scanner.offset();
    addContext(piece, matchesBefore);
  }

  /**
   * A line is context of the matches before it, as far as these want more, and of those to come.
   */
  private void addContext(LineScanner.Piece piece, int matchesBefore) {
    if (request.context() == 0 || !piece.beginsLine()) {
      return;
    }
    var text = LineText.cut(LineText.of(piece.bytes()));
    for (var i = matchesBefore - 1; i >= 0 && wantsMore(matches.get(i)); i--) {
      matches.get(i).after().add(text);
      chars += text.length();
    }
    before.addLast(text);
    if (before.size() > request.context()) {
      before.removeFirst();
    }
  }

  private boolean wantsMore(Match match) {
    return match.after().size() < request.context();
  }

  /**
   * Reads on for the lines behind the last match; the next search begins before them. False where
   * the time of the scanner was over before.
   */
  private boolean addAfter() {
    while (!matches.isEmpty() && request.context() > 0 && wantsMore(matches.getLast())) {
      var piece = unfinishedAfter == null ? scanner.next() : unfinishedAfter;
      if (piece == null) {
        return !scanner.late();
      }
      scanner.finish(piece);
      if (scanner.late()) {
        unfinishedAfter = piece;
        return false;
      }
      unfinishedAfter = null;
      addContext(piece, matches.size());
    }
    return true;
  }
}
