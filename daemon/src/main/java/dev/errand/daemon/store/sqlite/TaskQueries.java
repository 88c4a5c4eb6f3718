package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads view rows. Each form of a query names its index, so the plan depends on the query and not
 * on statistics, and no list is sorted.
 */
final class TaskQueries {
  private static final String COLUMNS =
      """
      SELECT id, session_id, label, kind, status, active, ended_at_ms, read_at_ms, bytes_stored,
        fold_version, status_text, batch_id, parent_id, sum, exit_code, cancel_requested
      """;

  /** The session of a row whose session cannot be read. */
  static final SessionId NOBODY = new SessionId("unknown");

  /** Sorts after every id, which has digits, the letters a to f, and dashes. */
  private static final String BEHIND_ALL_IDS = "~";

  /** An absent filter is null; the statuses are a JSON list, or null for all. */
  private static final String FILTERS =
      """
        AND id < ?1
        AND (?2 IS NULL OR session_id = ?2)
        AND (?3 IS NULL OR label = ?3)
        AND (?4 IS NULL OR kind = ?4)
        AND (?5 IS NULL OR active = ?5)
        AND (?6 IS NULL OR status IN (SELECT value FROM json_each(?6)))
      ORDER BY id DESC LIMIT ?7
      """;

  /** Live tasks are few, so the other filters are applied to them. */
  static final String LIVE =
      COLUMNS + "FROM tasks INDEXED BY tasks_live WHERE active = 1\n" + FILTERS;

  static final String OF_LABEL =
      COLUMNS + "FROM tasks INDEXED BY tasks_by_label WHERE label = ?3\n" + FILTERS;

  static final String OF_SESSION =
      COLUMNS + "FROM tasks INDEXED BY tasks_by_session WHERE session_id = ?2\n" + FILTERS;

  static final String OF_BATCH =
      COLUMNS + "FROM tasks INDEXED BY tasks_by_batch WHERE batch_id = ?8\n" + FILTERS;

  /** All other filters use columns of this index, so rows are not read. */
  static final String OF_ANY = COLUMNS + "FROM tasks INDEXED BY tasks_by_id WHERE true\n" + FILTERS;

  /** Tasks in other sessions that descend from this one, in the order of ids. */
  static final String BELOW =
      """
      SELECT t.id, t.session_id, t.label, t.kind, t.status, t.active, t.ended_at_ms, t.read_at_ms,
        t.bytes_stored, t.fold_version, t.status_text, t.batch_id, t.parent_id, t.sum,
        t.exit_code, t.cancel_requested
      FROM descent CROSS JOIN tasks AS t INDEXED BY tasks_by_id ON t.id = descent.task_id
      WHERE descent.session_id = ?2
        AND descent.task_id < ?1
        AND (?3 IS NULL OR t.label = ?3)
        AND (?4 IS NULL OR t.kind = ?4)
        AND (?5 IS NULL OR t.active = ?5)
        AND (?6 IS NULL OR t.status IN (SELECT value FROM json_each(?6)))
        AND (?8 IS NULL OR t.batch_id = ?8)
      ORDER BY descent.task_id DESC LIMIT ?7
      """;

  static final String DESCENDS =
      """
      SELECT EXISTS (SELECT 1 FROM descent WHERE session_id = ?1 AND task_id = ?2)
        OR EXISTS (SELECT 1 FROM removed_descent WHERE task_id = ?2 AND session_id = ?1)
      """;

  static final String ROW = COLUMNS + "FROM tasks INDEXED BY tasks_by_id WHERE id = ?";

  static final String IDS_WITH_PREFIX =
      """
      SELECT id FROM tasks INDEXED BY tasks_by_id
      WHERE id >= ?1 AND id < ?1 || '~'
      ORDER BY id DESC LIMIT ?2
      """;

  static final String READ_BEFORE =
      COLUMNS
          + """
          FROM tasks INDEXED BY tasks_ended
          WHERE ended_at_ms > 0 AND read_at_ms > 0 AND read_at_ms < ?
          ORDER BY ended_at_ms, id LIMIT ?
          """;

  static final String OLDEST_ENDED =
      COLUMNS
          + """
          FROM tasks INDEXED BY tasks_ended
          WHERE ended_at_ms > 0
          ORDER BY ended_at_ms, id LIMIT ?
          """;

  static final String BYTES_STORED =
      """
      SELECT coalesce(sum(bytes_stored), 0) FROM tasks INDEXED BY tasks_ended
      WHERE ended_at_ms > 0
      """;

  /** Reads a whole index, so it is used only if rows may be missing. */
  private static final String WITHOUT_ROW =
      """
      SELECT DISTINCT stream_id FROM frames
      WHERE stream_kind = 0
        AND NOT EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_by_id WHERE id = stream_id)
      """;

  private TaskQueries() {}

  static List<TaskId> withoutRow(Statements sql) throws SQLException {
    return sql.list(WITHOUT_ROW, row -> id(row.getString(1))).stream()
        .flatMap(Optional::stream)
        .toList();
  }

  static Optional<TaskRow> row(Statements sql, TaskId taskId) throws SQLException {
    return sql.first(ROW, TaskQueries::taskRow, taskId.value()).flatMap(it -> it);
  }

  static List<TaskRow> rows(Statements sql, TaskQuery query) throws SQLException {
    var values = values(query);
    var own = query.batchId() == null ? values.subList(0, values.size() - 1) : values;
    var rows = list(sql, form(query), own.toArray());
    if (!query.descendants()) {
      return rows;
    }
    return newest(rows, list(sql, BELOW, values.toArray()), query.limit());
  }

  private static List<@Nullable Object> values(TaskQuery query) {
    var before = query.before();
    var session = query.sessionId();
    var values = new ArrayList<@Nullable Object>();
    values.add(before == null ? BEHIND_ALL_IDS : before.value());
    values.add(session == null ? null : session.value());
    values.add(query.label());
    values.add(query.kind());
    values.add(query.active());
    values.add(json(query));
    values.add(query.limit());
    values.add(query.batchId());
    return values;
  }

  /** Both are sorted already, and most sessions have no descendants. */
  private static List<TaskRow> newest(List<TaskRow> own, List<TaskRow> below, int limit) {
    if (below.isEmpty()) {
      return own;
    }
    return Stream.concat(own.stream(), below.stream())
        .sorted(Comparator.comparing(TaskRow::id).reversed())
        .limit(limit)
        .toList();
  }

  static boolean descends(Statements sql, TaskId taskId, SessionId sessionId) throws SQLException {
    return sql.number(DESCENDS, sessionId.value(), taskId.value()) != 0;
  }

  static String form(TaskQuery query) {
    if (query.batchId() != null) {
      return OF_BATCH;
    }
    if (Boolean.TRUE.equals(query.active())) {
      return LIVE;
    }
    if (query.label() != null) {
      return OF_LABEL;
    }
    var more = query.kind() != null || query.active() != null || !query.statuses().isEmpty();
    return query.sessionId() != null && !more ? OF_SESSION : OF_ANY;
  }

  /** One parameter for any number of statuses, so that there is one statement and not many. */
  private static @Nullable String json(TaskQuery query) {
    if (query.statuses().isEmpty()) {
      return null;
    }
    var quoted = query.statuses().stream().map(it -> '"' + it.word() + '"').toList();
    return "[" + String.join(",", quoted) + "]";
  }

  static List<TaskId> idsWithPrefix(Statements sql, String prefix, int limit) throws SQLException {
    return sql.list(IDS_WITH_PREFIX, row -> new TaskId(row.getString(1)), prefix, limit);
  }

  static List<TaskRow> readBefore(Statements sql, long beforeMs, int limit) throws SQLException {
    return list(sql, READ_BEFORE, beforeMs, limit);
  }

  static List<TaskRow> oldestEnded(Statements sql, int limit) throws SQLException {
    return list(sql, OLDEST_ENDED, limit);
  }

  static long bytesStored(Statements sql) throws SQLException {
    return sql.number(BYTES_STORED);
  }

  private static List<TaskRow> list(Statements sql, String form, @Nullable Object... values)
      throws SQLException {
    return sql.list(form, TaskQueries::taskRow, values).stream().flatMap(Optional::stream).toList();
  }

  /** Empty if not even the id of a damaged row can be read. */
  private static Optional<TaskRow> taskRow(ResultSet row) throws SQLException {
    var sum = row.getLong(14);
    var unchecked = row.wasNull();
    var parent = row.getString(13);
    if (unchecked) {
      return Optional.of(kept(row, new SessionId(row.getString(2)), parentOf(parent)));
    }
    var taskId = id(row.getString(1));
    if (taskId.isEmpty()) {
      return Optional.empty();
    }
    var sessionId = session(row.getString(2));
    var its = parent == null ? null : id(parent).orElse(null);
    var kept = kept(row, sessionId.orElse(NOBODY), its);
    return sessionId.isPresent()
            && (parent == null) == (its == null)
            && StatusWord.ofWord(text(row.getString(5))).isPresent()
            && Checksums.of(kept) == sum
        ? Optional.of(kept)
        : Optional.of(kept.damaged());
  }

  private static @Nullable TaskId parentOf(@Nullable String parent) {
    return parent == null ? null : new TaskId(parent);
  }

  private static Optional<TaskId> id(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(new TaskId(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<SessionId> session(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(new SessionId(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static TaskRow kept(ResultSet row, SessionId sessionId, @Nullable TaskId parent)
      throws SQLException {
    var lifetime = new TaskRow.Lifetime(row.getLong(7), row.getLong(8), row.getLong(9));
    byte @Nullable [] statusText = row.getBytes(11);
    return new TaskRow(
        new TaskId(row.getString(1)),
        sessionId,
        row.getString(3),
        text(row.getString(4)),
        // Any other damage is found by the checksum.
        StatusWord.ofWord(text(row.getString(5))).orElse(StatusWord.FAILED),
        row.getBoolean(6),
        lifetime,
        row.getInt(10),
        statusText == null ? new byte[0] : statusText,
        row.getString(12),
        parent,
        outcome(row));
  }

  private static TaskRow.Outcome outcome(ResultSet row) throws SQLException {
    var exitCode = row.getInt(15);
    return new TaskRow.Outcome(row.wasNull() ? null : exitCode, row.getBoolean(16));
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
