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
 * Damage found in the file of a journal: the first damaged frame of each stream, and a mark file
 * that makes the next start check the whole journal.
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

  /**
   * Loads the recorded damage; frames that were only hidden by a damaged index are dropped from it.
   */
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

  /**
   * Records damaged frames in memory; true if they are new and must be stored with {@link #put}.
   */
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

  /** Returns the number of changed rows. */
  int put(Statements sql, StreamKey stream) throws SQLException {
    var seq = firstSeqs.get(stream);
    return seq == null ? 0 : sql.update(PUT, BatchSql.kindNumber(stream.kind()), stream.id(), seq);
  }

  /** Makes the next start check the whole file. */
  void suspect() {
    try {
      Files.writeString(mark, "");
    } catch (IOException e) {
      log.warn(
          "cannot create the mark for a check of the journal at the next start: {}",
          e.getMessage());
    }
  }

  /** Whether the mark exists, from this run or an earlier one. */
  boolean isSuspected() {
    return Files.exists(mark);
  }

  void acquit() {
    try {
      Files.deleteIfExists(mark);
    } catch (IOException e) {
      log.warn(
          "the mark cannot be removed; the next start checks the journal again: {}",
          e.getMessage());
    }
  }
}
