package dev.errand.daemon.output;

import dev.errand.core.task.SearchPage;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Job;
import dev.errand.daemon.pattern.Prefilter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One search in a log, in steps: each line that matches is returned once, with the lines around it.
 */
final class LogSearch implements Job {
  /** Of a long line this much is shown before the place that matched. */
  private static final int BEFORE_MATCH_CHARS = 500;

  private static final byte DELETE = 0x7f;

  private final SearchRequest request;
  private final LineReader reader;
  private final Time clock;
  private final long deadlineTicks;
  private final Prefilter prefilter;
  private final Deque<String> before;
  private final List<Match> matches = new ArrayList<>();
  private boolean searched;
  private boolean more;
  private long chars;
  private long next;
  private long nextOffset;

  /** A match in a line whose end was not found yet. */
  private @Nullable Found unfinished;

  /** A line after the last match, whose end was not found yet. */
  private LineReader.@Nullable Piece unfinishedAfter;

  private record Found(LineReader.Piece piece, Shown shown) {}

  /** A match to which later lines may still be added. */
  private record Match(
      LineReader.Piece piece, String text, boolean cut, List<String> before, List<String> after) {
    SearchPage.Found found() {
      return new SearchPage.Found(piece.line(), piece.offset(), text, cut, before, after);
    }
  }

  /** What is shown of a line that matches. */
  private record Shown(String text, boolean cut) {}

  /** Begins at the position of the reader, and takes {@code atMost}. */
  LogSearch(
      SearchRequest request, LineReader reader, List<String> before, Time clock, Duration atMost) {
    this.request = request;
    this.reader = reader;
    this.clock = clock;
    this.deadlineTicks = clock.ticks() + atMost.toNanos();
    this.prefilter = new Prefilter(List.of(request.pattern().pattern()));
    this.before = new ArrayDeque<>(before);
    this.next = reader.line();
    this.nextOffset = reader.offset();
  }

  @Override
  public boolean goOn(long untilNanos) {
    reader.stopAt(untilNanos);
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

  /** Continues the search; false if the time of the reader was over before it was complete. */
  private boolean search() {
    while (finishFound()) {
      if (matches.size() >= request.limit() || chars > LogLines.PAGE_CHARS_MAX) {
        more = true;
        return true;
      }
      var piece = reader.isTimeOver() ? null : reader.next();
      if (piece == null) {
        return !reader.late() && !reader.isTimeOver();
      }
      var shown = match(piece);
      if (shown == null && piece.end() == LineReader.End.OPEN) {
        // More output may make it match, so the next search begins with this line again.
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

  /** Moves past the line that matched last; false if the time was over before. */
  private boolean finishFound() {
    var it = unfinished;
    if (it == null) {
      return true;
    }
    reader.finish(it.piece());
    if (reader.late() && !isOver()) {
      return false;
    }
    unfinished = null;
    found(it.piece(), last(it.piece(), it.shown()));
    passed(it.piece(), matches.size() - 1);
    return true;
  }

  private @Nullable Shown match(LineReader.Piece piece) {
    if (cannotMatch(piece.bytes())) {
      return null;
    }
    var whole = piece.beginsLine() && piece.end() != LineReader.End.MORE;
    return match(piece.bytes(), whole);
  }

  /** The final state of a long line, if that matches too. */
  private Shown last(LineReader.Piece piece, Shown shown) {
    var bytes = piece.end() == LineReader.End.MORE ? reader.lastStates(piece) : null;
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

  /**
   * Most lines are excluded by one fast pass; lines that are not plain ASCII are always matched.
   */
  private boolean cannotMatch(byte[] bytes) {
    for (var value : bytes) {
      if ((value < ' ' && value != '\t') || value == DELETE) {
        return false;
      }
    }
    return prefilter.run(prefilter.start(), bytes, 0, bytes.length).foundAtEnd() == 0;
  }

  private void found(LineReader.Piece piece, Shown shown) {
    if (!piece.beginsLine()) {
      // The beginning of this very line.
      before.pollLast();
    }
    var lines = List.copyOf(before);
    matches.add(new Match(piece, shown.text(), shown.cut(), lines, new ArrayList<>()));
    chars += shown.text().length() + lines.stream().mapToInt(String::length).sum();
  }

  /** The next search begins after this line. */
  private void passed(LineReader.Piece piece, int matchesBefore) {
    next = reader.line();
    nextOffset = reader.offset();
    addContext(piece, matchesBefore);
  }

  /**
   * A line is context of the matches before it, as far as these want more, and of those to come.
   */
  private void addContext(LineReader.Piece piece, int matchesBefore) {
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
   * Reads the lines after the last match; the next search begins before them. False if the time of
   * the reader was over before.
   */
  private boolean addAfter() {
    while (!matches.isEmpty() && request.context() > 0 && wantsMore(matches.getLast())) {
      var piece = unfinishedAfter == null ? reader.next() : unfinishedAfter;
      if (piece == null) {
        return !reader.late();
      }
      reader.finish(piece);
      if (reader.late()) {
        unfinishedAfter = piece;
        return false;
      }
      unfinishedAfter = null;
      addContext(piece, matches.size());
    }
    return true;
  }
}
