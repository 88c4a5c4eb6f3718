package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Cursors;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads inboxes and memos; each query names its index. */
final class InboxQueries {
  private static final String COLUMNS =
      """
      SELECT position, id, session_id, task_id, label, kind, event, status, exit_code, elapsed_ms,
        seq, at_ms, merged, acknowledged_at_ms
      """;

  static final String WAITING =
      COLUMNS
          + """
          FROM notices INDEXED BY notices_waiting
          WHERE session_id = ? AND acknowledged_at_ms = 0 AND position > ?
          ORDER BY position LIMIT ?
          """;

  static final String ALL =
      COLUMNS
          + """
          FROM notices INDEXED BY notices_by_session
          WHERE session_id = ? AND position > ?
          ORDER BY position LIMIT ?
          """;

  private static final String LAST =
      "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'notices'), 0)";

  static final String COUNT =
      """
      SELECT count(*) FROM notices INDEXED BY notices_waiting
      WHERE session_id = ? AND acknowledged_at_ms = 0
      """;

  static final String IS_WAITING =
      """
      SELECT EXISTS (
        SELECT 1 FROM notices WHERE id = ? AND session_id = ? AND acknowledged_at_ms = 0)
      """;

  static final String UP_TO =
      """
      SELECT id FROM notices INDEXED BY notices_waiting
      WHERE session_id = ? AND acknowledged_at_ms = 0 AND position <= ?
      ORDER BY position
      """;

  static final String OF_TASK =
      """
      SELECT id FROM notices INDEXED BY notices_by_task
      WHERE task_id = ? AND session_id = ? AND acknowledged_at_ms = 0
      ORDER BY position
      """;

  static final String MEMO = "SELECT value FROM memos WHERE name = ? AND session_id = ?";

  static final String MEMOS =
      "SELECT session_id, value FROM memos WHERE name = ? ORDER BY session_id";

  private InboxQueries() {}

  static List<NoticeEntry> notices(Statements sql, NoticeQuery query, Cursors cursors)
      throws SQLException {
    return sql.list(
        query.all() ? ALL : WAITING,
        row -> entry(row, cursors),
        query.sessionId().value(),
        position(sql, query.after(), cursors),
        query.limit());
  }

  private static long position(Statements sql, Cursor cursor, Cursors cursors) throws SQLException {
    var position = cursors.position(cursor);
    if (position > 0) {
      cursors.checkNotPast(cursor, lastPosition(sql));
    }
    return position;
  }

  static long lastPosition(Statements sql) throws SQLException {
    return sql.number(LAST);
  }

  static long count(Statements sql, SessionId sessionId) throws SQLException {
    return sql.number(COUNT, sessionId.value());
  }

  static List<String> waiting(Statements sql, SessionId sessionId, List<String> ids)
      throws SQLException {
    var waiting = new ArrayList<String>();
    for (var id : ids) {
      if (!waiting.contains(id) && sql.number(IS_WAITING, id, sessionId.value()) != 0) {
        waiting.add(id);
      }
    }
    return waiting;
  }

  static List<String> waiting(Statements sql, SessionId sessionId, TaskId taskId)
      throws SQLException {
    return sql.list(OF_TASK, row -> row.getString(1), taskId.value(), sessionId.value());
  }

  static List<String> waiting(Statements sql, SessionId sessionId, Cursor upTo, Cursors cursors)
      throws SQLException {
    return sql.list(
        UP_TO, row -> row.getString(1), sessionId.value(), position(sql, upTo, cursors));
  }

  static Optional<Memo> memo(Statements sql, SessionId sessionId, String name) throws SQLException {
    return sql.first(
        MEMO, row -> new Memo(sessionId, name, row.getBytes(1)), name, sessionId.value());
  }

  static List<Memo> memos(Statements sql, String name) throws SQLException {
    return sql.list(
        MEMOS, row -> new Memo(new SessionId(row.getString(1)), name, row.getBytes(2)), name);
  }

  /** An unknown status word means an unknown end. */
  private static StatusWord status(@Nullable String word) {
    return word == null ? StatusWord.FAILED : StatusWord.ofWord(word).orElse(StatusWord.FAILED);
  }

  private static NoticeEntry entry(ResultSet row, Cursors cursors) throws SQLException {
    var subject =
        new Notice.Subject(
            new SessionId(row.getString(3)), new TaskId(row.getString(4)), row.getString(5));
    var code = row.getInt(9);
    var exitCode = row.wasNull() ? null : (Integer) code;
    var standing = new Notice.Standing(status(row.getString(8)), exitCode, row.getLong(10));
    var notice =
        new Notice(
            row.getString(2),
            subject,
            Notice.Kind.ofWord(row.getString(6)),
            row.getString(7),
            standing,
            row.getLong(11),
            row.getLong(12),
            row.getInt(13));
    return new NoticeEntry(notice, row.getLong(14) > 0, cursors.at(row.getLong(1)));
  }
}
