package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.error.PastEnd;
import dev.errand.core.task.LinePage;
import dev.errand.core.task.LogSpan;
import dev.errand.core.task.SearchFrom;
import dev.errand.core.task.SearchPage;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Logs as lines, numbered from 1: by number, and by what they contain. A line is shown as plain
 * text and only its beginning if it is long; the exact bytes are in the log at the offsets given.
 */
public final class LogLines {

  /** Of one line; the rest is cut off, with a mark. */
  public static final int LINE_CHARS_MAX = 2_000;

  /** One page of lines, or one answer of a search, has at most about this much text. */
  static final int PAGE_CHARS_MAX = 2 * 1024 * 1024;

  /** Going to a line takes as long at most; about ten gigabytes, and what was counted is kept. */
  static final Duration COUNT_TIME_MAX = Duration.ofSeconds(10);

  /** One search takes at most this long, and returns where it stopped. */
  public static final Duration TIME_MAX = Duration.ofSeconds(2);

  private final LogStore logs;
  private final Time clock;
  private final Duration timeMax;
  private final LineIndexes indexes = new LineIndexes();

  public LogLines(LogStore logs, Time clock) {
    this(logs, clock, TIME_MAX);
  }

  LogLines(LogStore logs, Time clock, Duration timeMax) {
    this.logs = logs;
    this.clock = clock;
    this.timeMax = timeMax;
  }

  /** So many lines from that one on; the line after the last one is none. */
  public LinePage lines(Share share, LogSpan log, long first, int count)
      throws InterruptedException {
    var index = index(log);
    var reader = reader(log, index, index.beforeLine(first));
    var reached = goTo(share, reader, () -> reader.skipToLine(first));
    if (!reached) {
      PastEnd.checkLine("line", first, reader.nextLine());
    }
    var page = new LineCollector(first, reached ? reader.offset() : log.total());
    if (reached) {
      goTo(share, reader, () -> page.fill(reader, count));
    }
    return page.end(index);
  }

  /** Searches until enough lines match, the log ends or the time is over. */
  public SearchPage search(Share share, LogSpan log, SearchRequest request)
      throws InterruptedException {
    var index = index(log);
    var reader =
        switch (request.from()) {
          case SearchFrom.Line(var number) -> {
            var it = reader(log, index, index.beforeLine(number));
            if (!goTo(share, it, () -> it.skipToLine(number))) {
              PastEnd.checkLine("from_line", number, it.nextLine());
            }
            yield it;
          }
          case SearchFrom.Offset(var bytes) -> {
            PastEnd.checkOffset("offset_bytes", bytes, log.total());
            var it = reader(log, index, index.beforeOffset(bytes));
            goTo(share, it, () -> it.skipToOffset(bytes));
            yield it;
          }
        };
    var before = before(log, index, reader.offset(), request.context());
    var search = new LogSearch(request, reader, before, clock, timeMax);
    share.run(search);
    return search.page(index);
  }

  /**
   * Moves the reader, in steps; false where the log ends before. What was counted on the way is
   * kept in the index, so a refused caller can ask again.
   */
  private boolean goTo(Share share, LineReader reader, BooleanSupplier way)
      throws InterruptedException {
    var begun = clock.ticks();
    var reached = new AtomicBoolean();
    share.run(until -> {
      reader.stopAt(until);
      reached.set(way.getAsBoolean());
      if (reader.late() && clock.ticks() - begun >= COUNT_TIME_MAX.toNanos()) {
        throw new ErrandException(
            ErrorCode.LIMIT_EXCEEDED,
            "the lines of this log are still being counted; ask again to continue");
      }
      return !reader.late();
    });
    return reached.get();
  }

  private LineIndex index(LogSpan log) {
    var index = indexes.of(log.taskId(), log.stream());
    index.check(logs.stored(log.taskId(), log.stream()));
    return index;
  }

  private LineReader reader(LogSpan log, LineIndex index, LineIndex.Mark from) {
    return new LineReader(logs, log, index, from, clock);
  }

  /** The last lines before an offset, as far as they are not far away. */
  private List<String> before(LogSpan log, LineIndex index, long offset, int count) {
    if (count == 0 || offset == 0) {
      return List.of();
    }
    var near = new LogSpan(log.taskId(), log.stream(), offset, true);
    var back = Math.max(0, offset - LineReader.PIECE_BYTES_MAX);
    var reader = reader(near, index, index.beforeOffset(back));
    if (!reader.skipToOffset(back)) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    for (var piece = reader.next(); piece != null; piece = reader.next()) {
      if (piece.beginsLine() && piece.end() == LineReader.End.LINE) {
        lines.add(LineText.cut(LineText.of(piece.bytes())));
      }
    }
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }
}
