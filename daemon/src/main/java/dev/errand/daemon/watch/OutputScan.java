package dev.errand.daemon.watch;

import com.google.re2j.Pattern;
import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent.Match;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.condition.Snippet;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.pattern.BoundedPattern;
import dev.errand.daemon.pattern.Prefilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Searches the logs of one task for several patterns, each from where its earlier search ended. A
 * pattern has at most one hit in a line. For one thread at a time.
 */
final class OutputScan {
  private static final int READ_BYTES = 256 * 1024;

  private final TaskId taskId;
  private final LogStore logs;
  private final List<Wanted> wanted;
  private final List<Pattern> patterns;
  private final Prefilter prefilter;
  private final Sink sink;
  private final Time clock;
  private final Map<LogStream, PatternScanner> scanners = new EnumMap<>(LogStream.class);
  private byte[] chunk = new byte[0];
  private long chunkAt;

  /**
   * A pattern, and where in each log its search begins.
   *
   * @param scope the one stream that counts, or null for all
   */
  record Wanted(String pattern, @Nullable LogStream scope, Map<LogStream, Start> starts) {
    Wanted {
      starts = Map.copyOf(starts);
    }

    boolean covers(LogStream stream) {
      return scope == null || scope == stream;
    }

    Start start(LogStream stream) {
      return starts.getOrDefault(stream, Start.OF_LOG);
    }
  }

  /**
   * Where a search begins: with a line, or after the line in which the last hit ended.
   *
   * @param lastEnd lines that begin here or before have had their hit
   */
  record Start(long lastEnd, long from, boolean isLineStart) {
    static final Start OF_LOG = new Start(-1, 0, true);

    /** After the line of a hit that ended there. */
    static Start after(long end) {
      return new Start(end, end, false);
    }

    /** With the line that begins there. */
    static Start at(long offset) {
      return new Start(offset - 1, offset, true);
    }
  }

  /**
   * Takes hits, and says which patterns still need any; a pattern is named by its index in the
   * list.
   */
  interface Sink {
    boolean isOpen(int pattern);

    void hit(int pattern, Match match, String snippet);
  }

  OutputScan(
      TaskId taskId,
      LogStore logs,
      List<LogStream> streams,
      List<Wanted> wanted,
      Sink sink,
      Time clock) {
    this.clock = clock;
    this.taskId = taskId;
    this.logs = logs;
    this.wanted = List.copyOf(wanted);
    this.patterns = wanted.stream().map(it -> BoundedPattern.compile(it.pattern(), 0)).toList();
    this.prefilter = new Prefilter(wanted.stream().map(Wanted::pattern).toList());
    this.sink = sink;
    streams.forEach(this::add);
  }

  private void add(LogStream stream) {
    @Nullable Start first = null;
    for (var it : wanted) {
      var start = it.start(stream);
      var sooner =
          first == null
              || start.from() < first.from()
              || (start.from() == first.from() && start.isLineStart());
      if (it.covers(stream) && sooner) {
        first = start;
      }
    }
    if (first != null) {
      var scanner =
          new PatternScanner(
              prefilter,
              stream == LogStream.PTY,
              first.from(),
              first.isLineStart(),
              (piece, found) -> look(stream, piece, found));
      scanners.put(stream, scanner);
    }
  }

  /** Scans the logs up to these totals; false if the time was over before. */
  boolean scan(Map<LogStream, Long> totals, long untilNanos) {
    for (var entry : scanners.entrySet()) {
      var stream = entry.getKey();
      var scanner = entry.getValue();
      var total = totals.getOrDefault(stream, 0L);
      while (scanner.at() < total && isWanted(stream)) {
        var before = scanner.at();
        read(stream, scanner, total);
        if (scanner.at() == before) {
          break;
        }
        if (clock.ticks() >= untilNanos && scanner.at() < total) {
          return false;
        }
      }
    }
    chunk = new byte[0];
    return true;
  }

  /** Scans lines that have no end yet, since no more output comes for now. */
  void scanRest() {
    scanners.values().forEach(PatternScanner::scanRest);
  }

  /** Whether a line has begun that was not scanned to where it ends now. */
  boolean hasOpenLine() {
    return scanners.entrySet().stream()
        .anyMatch(it -> it.getValue().hasOpenLine() && isWanted(it.getKey()));
  }

  /** Whether some pattern needs this stream. */
  private boolean isWanted(LogStream stream) {
    for (var i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).covers(stream) && sink.isOpen(i)) {
        return true;
      }
    }
    return false;
  }

  private void read(LogStream stream, PatternScanner scanner, long total) {
    var at = scanner.at();
    try {
      chunk = logs.read(taskId, stream, at, (int) Math.min(READ_BYTES, total - at));
      chunkAt = at;
      if (chunk.length == 0) {
        // The rest was lost in a crash of the machine.
        scanner.jump(total);
      } else {
        scanner.feed(chunk);
        if (scanner.at() == at && at + chunk.length < total) {
          // A carriage return that may end a line, and the cap took what follows.
          scanner.jump(at + chunk.length);
        }
      }
    } catch (ErrandException e) {
      scanner.jump(Math.min(total, LogStore.afterDropped(e)));
    }
  }

  private long look(LogStream stream, PatternScanner.Piece piece, long found) {
    var hits = 0L;
    @Nullable TextLine line = null;
    for (var left = found; left != 0; left &= left - 1) {
      var pattern = Long.numberOfTrailingZeros(left);
      if (isWanted(pattern, stream, piece)) {
        line = line == null ? line(stream, piece) : line;
        hits |= find(pattern, stream, piece, line) ? 1L << pattern : 0;
      }
    }
    return hits;
  }

  private boolean isWanted(int pattern, LogStream stream, PatternScanner.Piece piece) {
    var it = wanted.get(pattern);
    return it.covers(stream)
        && piece.lineStart() > it.start(stream).lastEnd()
        && sink.isOpen(pattern);
  }

  private boolean find(int pattern, LogStream stream, PatternScanner.Piece piece, TextLine line) {
    var text = line.text();
    var matcher = patterns.get(pattern).matcher(text);
    var before = Math.min(before(piece), text.length());
    if (!matcher.find(before)) {
      return false;
    }
    var base = piece.from() - before(piece);
    var offset = base + line.start(matcher.start());
    // The match may continue, and the next piece has all of it.
    if (!piece.ends() && matcher.end() == text.length() && offset >= piece.next()) {
      return false;
    }
    var end = Math.max(offset, base + line.end(matcher.end()));
    sink.hit(
        pattern,
        new Match(stream, offset, end),
        Snippet.around(text, matcher.start(), matcher.end()));
    return true;
  }

  /** Within a line the byte before a piece is included, so that ^ does not match there. */
  private static int before(PatternScanner.Piece piece) {
    return piece.from() > piece.lineStart() ? 1 : 0;
  }

  private TextLine line(LogStream stream, PatternScanner.Piece piece) {
    var bytes = bytes(stream, piece.from() - before(piece), piece.to());
    return stream == LogStream.PTY ? TextLine.shown(bytes) : TextLine.plain(bytes);
  }

  /** From the chunk that was read last, or read again if the line began before it. */
  private byte[] bytes(LogStream stream, long from, long to) {
    if (from >= chunkAt && to <= chunkAt + chunk.length) {
      return Arrays.copyOfRange(chunk, (int) (from - chunkAt), (int) (to - chunkAt));
    }
    try {
      return logs.read(taskId, stream, from, (int) (to - from));
    } catch (ErrandException e) {
      // The cap took it since; dropped output has no hits.
      var _ = LogStore.afterDropped(e);
      return new byte[0];
    }
  }

  /** Whether there is unread output for a pattern that still needs it. */
  boolean hasUnread(Map<LogStream, Long> totals) {
    return scanners.entrySet().stream()
        .anyMatch(it ->
            it.getValue().at() < totals.getOrDefault(it.getKey(), 0L) && isWanted(it.getKey()));
  }

  /**
   * The patterns that have not scanned all of these logs; a last carriage return, which may end a
   * line, does not count.
   */
  List<Integer> unfinished(Map<LogStream, Long> totals) {
    var unfinished = new ArrayList<Integer>();
    for (var i = 0; i < wanted.size(); i++) {
      var it = wanted.get(i);
      var late =
          scanners.entrySet().stream()
              .anyMatch(scanner ->
                  it.covers(scanner.getKey())
                      && scanner.getValue().at() + 1 < totals.getOrDefault(scanner.getKey(), 0L));
      if (late && sink.isOpen(i)) {
        unfinished.add(i);
      }
    }
    return unfinished;
  }
}
