package dev.errand.daemon.output;

import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogGap;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the lines of one log are, as far as it was read: a mark every now and then, and each gap on
 * the way. It grows as others read, and is only ever a short cut: without it one reads from the
 * start.
 *
 * <p>The cap may drop a range that was counted before. Then the numbers after it change, and what
 * the index knew of them is forgotten.
 */
final class LineIndex {
  private static final int MARKS_MAX = 2_048;
  private static final long FIRST_STRIDE_BYTES = 1024 * 1024;

  private final List<Mark> marks = new ArrayList<>(List.of(Mark.START));
  private final List<LogGap> gaps = new ArrayList<>();
  private long edition;
  private long stride = FIRST_STRIDE_BYTES;

  /** At this offset one is in that line, which begins at {@code lineStart}. */
  record Mark(long offset, long line, long lineStart) {
    static final Mark START = new Mark(0, 1, 0);
  }

  /** Forgets what the ranges that are stored now contradict. */
  synchronized void check(List<LogEnd.Extent> stored) {
    var at = 0L;
    var known = 0;
    for (var extent : stored) {
      if (extent.from() > at) {
        var same =
            known < gaps.size()
                && gaps.get(known).from() == at
                && gaps.get(known).to() == extent.from();
        if (!same) {
          forgetFrom(known < gaps.size() ? Math.min(at, gaps.get(known).from()) : at);
          return;
        }
        known++;
      }
      at = extent.to();
    }
    if (known < gaps.size()) {
      forgetFrom(gaps.get(known).from());
    }
  }

  private void forgetFrom(long offset) {
    edition++;
    marks.removeIf(it -> it.offset() > offset);
    gaps.removeIf(it -> it.from() >= offset);
  }

  /** The last mark that is not after the beginning of that line. */
  synchronized Mark beforeLine(long line) {
    var best = Mark.START;
    for (var mark : marks) {
      var inside = mark.line() == line && mark.offset() > mark.lineStart();
      if (mark.line() > line || inside) {
        break;
      }
      best = mark;
    }
    return best;
  }

  /** The last mark that is not after that offset. */
  synchronized Mark beforeOffset(long offset) {
    var best = Mark.START;
    for (var mark : marks) {
      if (mark.offset() > offset) {
        break;
      }
      best = mark;
    }
    return best;
  }

  /** Grows whenever something is forgotten: a reader that began before has other numbers. */
  synchronized long edition() {
    return edition;
  }

  /** Called by a reader that came from an earlier mark without leaving anything out. */
  synchronized void passed(Mark mark, long readEdition) {
    if (readEdition != edition || mark.offset() < marks.getLast().offset() + stride) {
      return;
    }
    marks.add(mark);
    if (marks.size() > MARKS_MAX) {
      thinOut();
    }
  }

  private void thinOut() {
    stride *= 2;
    var kept = new ArrayList<Mark>();
    for (var i = 0; i < marks.size(); i += 2) {
      kept.add(marks.get(i));
    }
    marks.clear();
    marks.addAll(kept);
  }

  synchronized void passed(LogGap gap, long readEdition) {
    var isNew = gaps.isEmpty() || gaps.getLast().to() <= gap.from();
    if (readEdition == edition && isNew) {
      gaps.add(gap);
    }
  }

  /** The gaps that begin before that offset. */
  synchronized List<LogGap> gapsBefore(long offset) {
    return gaps.stream().filter(it -> it.from() < offset).toList();
  }
}
