package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.SessionEnd;
import dev.errand.core.journal.SessionRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads sessions: those of tasks, and those that were ended. */
final class SessionQueries {

  /** Skips from one name to the next, however many tasks share it. */
  static final String NAMES =
      """
      WITH RECURSIVE names(id) AS (
        SELECT min(session_id) FROM tasks INDEXED BY tasks_by_session WHERE session_id > ?1
        UNION ALL
        SELECT (SELECT min(session_id) FROM tasks INDEXED BY tasks_by_session
                WHERE session_id > names.id)
        FROM names WHERE names.id IS NOT NULL
        LIMIT ?2
      )
      SELECT id FROM names WHERE id IS NOT NULL
      """;

  static final String ENDED_NAMES =
      "SELECT session_id FROM sessions WHERE session_id > ? ORDER BY session_id LIMIT ?";

  static final String COUNT =
      """
      SELECT count(*), max(id) FROM tasks INDEXED BY tasks_by_session WHERE session_id = ?
      """;

  static final String LAST_END =
      """
      SELECT coalesce(max(ended_at_ms), 0) FROM (
        SELECT ended_at_ms FROM tasks INDEXED BY tasks_by_session
        WHERE session_id = ? ORDER BY id DESC LIMIT ?)
      """;

  static final String ENDED_AT =
      "SELECT coalesce(max(ended_at_ms), 0) FROM sessions WHERE session_id = ?";

  private static final String ENDED = "SELECT session_id, ended_at_ms FROM sessions";

  private static final String PUT_END =
      """
      INSERT INTO sessions (session_id, ended_at_ms) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET ended_at_ms = excluded.ended_at_ms
      """;

  private static final String DELETE_END = "DELETE FROM sessions WHERE session_id = ?";

  private SessionQueries() {}

  static void put(Statements sql, SessionEnd end) throws SQLException {
    var id = end.sessionId().value();
    if (end.atMs() == 0) {
      sql.update(DELETE_END, id);
    } else {
      sql.update(PUT_END, id, end.atMs());
    }
  }

  static List<SessionRow> sessions(Statements sql, @Nullable SessionId after, int limit)
      throws SQLException {
    var behind = after == null ? "" : after.value();
    var names = new ArrayList<>(sql.list(NAMES, row -> row.getString(1), behind, limit));
    names.addAll(sql.list(ENDED_NAMES, row -> row.getString(1), behind, limit));
    var rows = new ArrayList<SessionRow>();
    for (var name : names.stream().distinct().sorted().limit(limit).toList()) {
      rows.add(row(sql, new SessionId(name)));
    }
    return rows;
  }

  static Optional<SessionRow> session(Statements sql, SessionId sessionId) throws SQLException {
    var row = row(sql, sessionId);
    return row.tasks() == 0 && row.endedAtMs() == 0 ? Optional.empty() : Optional.of(row);
  }

  private record Count(long tasks, @Nullable TaskId newest) {}

  private static SessionRow row(Statements sql, SessionId sessionId) throws SQLException {
    var id = sessionId.value();
    var count =
        sql.first(COUNT, row -> new Count(row.getLong(1), id(row.getString(2))), id).orElseThrow();
    return new SessionRow(
        sessionId,
        count.tasks(),
        count.newest(),
        sql.number(LAST_END, id, SessionRow.LAST_END_AMONG),
        sql.number(ENDED_AT, id));
  }

  private static @Nullable TaskId id(@Nullable String text) {
    return text == null ? null : new TaskId(text);
  }

  static List<SessionEnd> ended(Statements sql) throws SQLException {
    return sql.list(ENDED, row -> new SessionEnd(new SessionId(row.getString(1)), row.getLong(2)));
  }
}
