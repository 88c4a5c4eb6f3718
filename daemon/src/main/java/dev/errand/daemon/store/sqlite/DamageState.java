package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * What was found damaged in the file of a journal: the first such frame of each stream, and, as a
 * mark beside the file, that the next start is to check all of it.
 */
final class DamageState {
  private static final Logger log = LoggerFactory.getLogger(DamageState.class);

  private static final String ALL = "SELECT stream_kind, stream_id, seq FROM damage";

  private static final String PUT =
      """
      INSERT INTO damage (stream_kind, stream_id, seq) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET seq = min(seq, excluded.seq)
      """;

  private final Path mark;
  private final Map<StreamKey, Long> firstSeqs = new ConcurrentHashMap<>();

  DamageState(Path database) {
    this.mark = Path.of(database + ".suspect");
  }

  /** Whether a failure says that the file is not what SQLite wrote, or was cut within a page. */
  static boolean isShownBy(Throwable failure) {
    return failure instanceof SQLiteException it
        && (it.getResultCode() == SQLiteErrorCode.SQLITE_NOTADB
            || it.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHORT_READ
            || it.getResultCode().name().startsWith(SQLiteErrorCode.SQLITE_CORRUPT.name()));
  }

  /** What was hidden by a damaged index is there again once that was mended. */
  void load(Statements sql) throws SQLException {
    for (var it : sql.list(ALL, DamageState::found)) {
      if (FrameQueries.read(sql, it.stream(), it.seq() - 1, 1).stream()
          .anyMatch(EncodedFrame::damaged)) {
        firstSeqs.put(it.stream(), it.seq());
      } else {
        sql.update(
            BatchSql.DELETE_DAMAGE, BatchSql.kindNumber(it.stream().kind()), it.stream().id());
      }
    }
  }

  private record Found(StreamKey stream, long seq) {}

  private static Found found(ResultSet row) throws SQLException {
    var stream = new StreamKey(BatchSql.kind(row.getInt(1)), row.getString(2));
    return new Found(stream, row.getLong(3));
  }

  OptionalLong from(StreamKey stream) {
    var seq = firstSeqs.get(stream);
    return seq == null ? OptionalLong.empty() : OptionalLong.of(seq);
  }

  int streams() {
    return firstSeqs.size();
  }

  void forget(StreamKey stream) {
    firstSeqs.remove(stream);
  }

  /** Takes note of damaged frames; true where that is news, to be kept by {@link #put}. */
  boolean noteIn(StreamKey stream, List<EncodedFrame> frames) {
    for (var frame : frames) {
      if (frame.damaged()) {
        return note(stream, frame.seq());
      }
    }
    return false;
  }

  private boolean note(StreamKey stream, long seq) {
    var known = firstSeqs.get(stream);
    if (known != null && known <= seq) {
      return false;
    }
    firstSeqs.merge(stream, seq, Math::min);
    log.warn("the journal is damaged: {} from frame {} on", stream, seq);
    suspect();
    return true;
  }

  /** Answers with the number of rows that it changed. */
  int put(Statements sql, StreamKey stream) throws SQLException {
    var seq = firstSeqs.get(stream);
    return seq == null ? 0 : sql.update(PUT, BatchSql.kindNumber(stream.kind()), stream.id(), seq);
  }

  /** Lets the next start check the whole file. */
  void suspect() {
    try {
      Files.writeString(mark, "");
    } catch (IOException e) {
      log.warn("cannot leave a mark for the next start to check the journal: {}", e.getMessage());
    }
  }

  /** Whether the mark is there, left by this run or an earlier one. */
  boolean isSuspected() {
    return Files.exists(mark);
  }

  void acquit() {
    try {
      Files.deleteIfExists(mark);
    } catch (IOException e) {
      log.warn("the next start checks the journal once more: {}", e.getMessage());
    }
  }
}
