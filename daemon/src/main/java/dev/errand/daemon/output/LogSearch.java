package dev.errand.daemon.output;

import dev.errand.daemon.pattern.Sieve;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One search through a log: each line that matches is told once, with those around it. */
final class LogSearch {
  /** Of a long line this much is shown before the place that matched. */
  private static final int BEFORE_MATCH_CHARS = 500;

  private static final byte DELETE = 0x7f;

  private final SearchWish wish;
  private final Sieve sieve;
  private final Deque<String> before;
  private final List<Match> matches = new ArrayList<>();
  private long chars;
  private long next;
  private long nextOffset;

  /** A match to which lines behind it are still added. */
  private record Match(
      LineScanner.Piece piece, String text, boolean cut, List<String> before, List<String> after) {
    SearchPage.Found found() {
      return new SearchPage.Found(piece.line(), piece.offset(), text, cut, before, after);
    }
  }

  /** What is shown of a line that matches. */
  private record Shown(String text, boolean cut) {}

  LogSearch(SearchWish wish, List<String> before) {
    this.wish = wish;
    this.sieve = new Sieve(List.of(wish.pattern().pattern()));
    this.before = new ArrayDeque<>(before);
  }

  SearchPage run(LineScanner scanner, LineIndex index) {
    next = scanner.line();
    nextOffset = scanner.offset();
    var more = !search(scanner);
    if (!scanner.late()) {
      addAfter(scanner);
    }
    return new SearchPage(
        matches.stream().map(Match::found).toList(),
        next,
        nextOffset,
        more,
        index.gapsBefore(nextOffset));
  }

  /** True when all that is there was searched. */
  private boolean search(LineScanner scanner) {
    while (!scanner.late()) {
      if (matches.size() >= wish.limit() || chars > LogLines.PAGE_CHARS_MAX) {
        return false;
      }
      var piece = scanner.next();
      if (piece == null) {
        return !scanner.late();
      }
      var shown = match(piece);
      if (shown == null && piece.end() == LineScanner.End.OPEN) {
        // What is to come may make it match, so the next search begins with this line again.
        return true;
      }
      if (shown != null) {
        scanner.finish(piece);
        found(piece, last(scanner, piece, shown));
      }
      next = scanner.line();
      nextOffset = scanner.offset();
      passed(piece, shown == null ? matches.size() : matches.size() - 1);
    }
    return false;
  }

  private @Nullable Shown match(LineScanner.Piece piece) {
    if (cannotMatch(piece.bytes())) {
      return null;
    }
    var whole = piece.beginsLine() && piece.end() != LineScanner.End.MORE;
    return match(piece.bytes(), whole);
  }

  /** How a long line stood in the end, if that matches too. */
  private Shown last(LineScanner scanner, LineScanner.Piece piece, Shown shown) {
    var bytes = piece.end() == LineScanner.End.MORE ? scanner.lastStates(piece) : null;
    var last = bytes == null ? null : match(bytes, true);
    return last == null ? shown : last;
  }

  /** The last state that matches. */
  private @Nullable Shown match(byte[] bytes, boolean whole) {
    for (var text : LineText.states(bytes).reversed()) {
      var matcher = wish.pattern().matcher(text);
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

  /**
   * A line is context of the matches before it, as far as these want more, and of those to come.
   */
  private void passed(LineScanner.Piece piece, int matchesBefore) {
    if (wish.context() == 0 || !piece.beginsLine()) {
      return;
    }
    var text = LineText.cut(LineText.of(piece.bytes()));
    for (var i = matchesBefore - 1; i >= 0 && wantsMore(matches.get(i)); i--) {
      matches.get(i).after().add(text);
      chars += text.length();
    }
    before.addLast(text);
    if (before.size() > wish.context()) {
      before.removeFirst();
    }
  }

  private boolean wantsMore(Match match) {
    return match.after().size() < wish.context();
  }

  /** Reads on for the lines behind the last match; the next search begins before them. */
  private void addAfter(LineScanner scanner) {
    while (!matches.isEmpty() && wish.context() > 0 && wantsMore(matches.getLast())) {
      var piece = scanner.next();
      if (piece == null) {
        return;
      }
      scanner.finish(piece);
      passed(piece, matches.size());
    }
  }
}
