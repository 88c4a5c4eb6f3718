package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Cursors;
import dev.errand.wire.json.JsonFrameCodec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the frames of one stream or of all; a damaged or missing frame is returned as damaged. */
final class FrameQueries {
  static final String READ =
      """
      SELECT seq, text, sum FROM frames
      WHERE stream_kind = ? AND stream_id = ? AND seq > ?
      ORDER BY seq LIMIT ?
      """;

  static final String READ_ALL =
      """
      SELECT seq, text, sum, position, stream_kind, stream_id FROM frames
      WHERE position > ?
      ORDER BY position LIMIT ?
      """;

  /** Not the greatest position in the table: the last frames may have been removed. */
  private static final String LAST_POSITION =
      "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'frames'), 0)";

  private FrameQueries() {}

  /** A frame from the file; without text if the checksum does not match. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Kept(long seq, byte @Nullable [] text) {}

  private record Placed(long position, StreamKey stream, Kept frame) {}

  static List<EncodedFrame> read(Statements sql, StreamKey stream, long afterSeq, int limit)
      throws SQLException {
    var reading = new Reading(sql, stream, Math.max(afterSeq, -1) + 1, limit);
    reading.look();
    var lastKnown = reading.isFull() ? -1 : lastKnown(sql, stream);
    while (reading.due <= lastKnown && !reading.isFull()) {
      // They may have been committed since the first read, or an index may have hidden them.
      if (!reading.look()) {
        reading.miss(lastKnown + 1);
      }
    }
    return reading.frames;
  }

  /** The row of a task has the minimum number of frames; a damaged row has none. */
  private static long lastKnown(Statements sql, StreamKey stream) throws SQLException {
    return stream.kind() == StreamKey.Kind.TASK
        ? TaskQueries.row(sql, new TaskId(stream.id()))
            .filter(it -> it.foldVersion() != TaskRow.DAMAGED)
            .map(it -> lastSeq(it.statusText()))
            .orElse(-1L)
        : -1;
  }

  /** A row of an older journal has no checksum and may contain anything. */
  private static long lastSeq(byte[] status) {
    try {
      return JsonFrameCodec.lastSeq(status);
    } catch (ErrandException _) {
      return -1;
    }
  }

  /** Collects the frames of one stream without gaps. */
  private static final class Reading {
    private final Statements sql;
    private final StreamKey stream;
    private final int limit;
    private final List<EncodedFrame> frames = new ArrayList<>();

    /** The seq of the next frame. */
    private long due;

    Reading(Statements sql, StreamKey stream, long due, int limit) {
      this.sql = sql;
      this.stream = stream;
      this.due = due;
      this.limit = limit;
    }

    boolean isFull() {
      return frames.size() >= limit;
    }

    /** Whether there was another frame. */
    boolean look() throws SQLException {
      var kind = BatchSql.kindNumber(stream.kind());
      var left = limit - frames.size();
      var from = due;
      for (var it : sql.list(READ, row -> kept(row, stream), kind, stream.id(), due - 1, left)) {
        // A damaged frame may have lost its seq, so it takes the next one.
        if (it.text() == null) {
          miss(due + 1);
        } else if (it.seq() >= due) {
          miss(it.seq());
          add(frame(sql, stream, it));
        }
      }
      return due > from;
    }

    void miss(long to) throws SQLException {
      while (due < to && !isFull()) {
        add(damaged(sql, stream, due));
      }
    }

    private void add(EncodedFrame frame) {
      if (!isFull()) {
        frames.add(frame);
        due++;
      }
    }
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
    var all = sql.list(READ_ALL, FrameQueries::placed, position, limit);
    if (all.isEmpty()) {
      cursors.checkNotPast(after, lastPosition(sql));
    }
    var entries = new ArrayList<Page.Entry>(all.size());
    for (var it : all) {
      if (it.frame().text() != null || isName(it.stream())) {
        var frame = frame(sql, it.stream(), it.frame());
        entries.add(new Page.Entry(it.stream(), frame, cursors.at(it.position())));
      }
    }
    return new Page(entries, all.isEmpty() ? after : cursors.at(all.getLast().position()));
  }

  private static Placed placed(ResultSet row) throws SQLException {
    var kind =
        row.getInt(5) == BatchSql.kindNumber(StreamKey.Kind.SESSION)
            ? StreamKey.Kind.SESSION
            : StreamKey.Kind.TASK;
    var stream = new StreamKey(kind, row.getString(6));
    return new Placed(row.getLong(4), stream, kept(row, stream));
  }

  /** A damaged frame may also have lost its stream; then it is missing only there. */
  private static boolean isName(StreamKey stream) {
    try {
      return switch (stream.kind()) {
        case SESSION -> new SessionId(stream.id()).value().equals(stream.id());
        case TASK -> new TaskId(stream.id()).value().equals(stream.id());
      };
    } catch (IllegalArgumentException | NullPointerException _) {
      return false;
    }
  }

  private static Kept kept(ResultSet row, StreamKey stream) throws SQLException {
    var seq = row.getLong(1);
    byte @Nullable [] text = row.getBytes(2);
    var sum = row.getLong(3);
    var unchecked = row.wasNull();
    var whole = text != null && (unchecked || sum == Checksums.of(stream, seq, text));
    return new Kept(seq, whole ? text : null);
  }

  private static EncodedFrame frame(Statements sql, StreamKey stream, Kept kept)
      throws SQLException {
    var text = kept.text();
    return text == null ? damaged(sql, stream, kept.seq()) : new EncodedFrame(kept.seq(), text);
  }

  private static EncodedFrame damaged(Statements sql, StreamKey stream, long seq)
      throws SQLException {
    var sessionId =
        switch (stream.kind()) {
          case SESSION -> new SessionId(stream.id());
          case TASK ->
              TaskQueries.row(sql, new TaskId(stream.id()))
                  .map(TaskRow::sessionId)
                  .orElse(TaskQueries.NOBODY);
        };
    return JsonFrameCodec.damaged(stream, sessionId, seq);
  }
}
