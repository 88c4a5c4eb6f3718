package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.StreamKey;
import dev.errand.daemon.store.Cursors;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Reads frames, of one stream and of all. */
final class FrameQueries {
  static final String READ =
      """
      SELECT seq, text FROM frames
      WHERE stream_kind = ? AND stream_id = ? AND seq > ?
      ORDER BY seq LIMIT ?
      """;

  static final String READ_ALL =
      """
      SELECT seq, text, position, stream_kind, stream_id FROM frames
      WHERE position > ?
      ORDER BY position LIMIT ?
      """;

  /** Not the greatest position in the table: the last frames may have been removed. */
  private static final String LAST_POSITION =
      "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'frames'), 0)";

  private FrameQueries() {}

  static List<EncodedFrame> read(Statements sql, StreamKey stream, long afterSeq, int limit)
      throws SQLException {
    var kind = BatchSql.kindNumber(stream.kind());
    return sql.list(READ, FrameQueries::frame, kind, stream.id(), afterSeq, limit);
  }

  static long lastSeq(Statements sql, StreamKey stream) throws SQLException {
    return sql.number(BatchSql.LAST_SEQ, BatchSql.kindNumber(stream.kind()), stream.id());
  }

  static long lastPosition(Statements sql) throws SQLException {
    return sql.number(LAST_POSITION);
  }

  /** With one writer, positions are given in the order in which frames become readable. */
  static Page readAll(Statements sql, Cursor after, int limit, Cursors cursors)
      throws SQLException {
    var position = cursors.position(after);
    var entries = sql.list(READ_ALL, row -> entry(row, cursors), position, limit);
    if (!entries.isEmpty()) {
      return new Page(entries, entries.getLast().cursor());
    }
    if (position > lastPosition(sql)) {
      throw Cursors.foreign(after);
    }
    return new Page(entries, after);
  }

  private static Page.Entry entry(ResultSet row, Cursors cursors) throws SQLException {
    var stream = new StreamKey(kind(row.getInt(4)), row.getString(5));
    return new Page.Entry(stream, frame(row), cursors.at(row.getLong(3)));
  }

  private static EncodedFrame frame(ResultSet row) throws SQLException {
    return new EncodedFrame(row.getLong(1), row.getBytes(2));
  }

  private static StreamKey.Kind kind(int number) {
    for (var kind : StreamKey.Kind.values()) {
      if (BatchSql.kindNumber(kind) == number) {
        return kind;
      }
    }
    throw new IllegalStateException("no kind of stream has the number " + number);
  }
}
