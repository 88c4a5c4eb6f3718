package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Memo;
import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskId;
import java.sql.SQLException;

/** Writes the inbox changes and memos of a batch; runs inside the writer's transaction. */
final class InboxSql {
  private static final String INSERT =
      """
      INSERT INTO notices (id, session_id, task_id, label, kind, event, status, exit_code,
        elapsed_ms, seq, at_ms, merged, acknowledged_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
      """;

  static final String ACKNOWLEDGE =
      """
      UPDATE notices SET acknowledged_at_ms = ?
      WHERE id = ? AND session_id = ? AND acknowledged_at_ms = 0
      """;

  /** Notices of a removed task are deleted. */
  static final String FORGET =
      """
      DELETE FROM notices
      WHERE id = ? AND acknowledged_at_ms > 0
        AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.id = notices.task_id)
      """;

  static final String WITHDRAW =
      """
      UPDATE notices SET acknowledged_at_ms = ?
      WHERE task_id = ? AND kind = ? AND acknowledged_at_ms = 0
      """;

  static final String MERGE =
      "UPDATE notices SET merged = ? WHERE id = ? AND acknowledged_at_ms = 0";

  static final String DELETE = "DELETE FROM notices WHERE id = ?";

  static final String TASK_REMOVED =
      "DELETE FROM notices WHERE task_id = ? AND acknowledged_at_ms > 0";

  private static final String PUT_MEMO =
      """
      INSERT INTO memos (name, session_id, value) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET value = excluded.value
      """;

  static final String FORGET_MEMO = "DELETE FROM memos WHERE name = ? AND session_id = ?";

  private InboxSql() {}

  static void write(Statements sql, InboxChange change) throws SQLException {
    switch (change) {
      case InboxChange.Arrived(var notice) -> insert(sql, notice);
      case InboxChange.Acknowledged it -> {
        for (var id : it.ids()) {
          if (sql.update(ACKNOWLEDGE, it.atMs(), id, it.sessionId().value()) > 0) {
            sql.update(FORGET, id);
          }
        }
      }
      case InboxChange.Withdrawn it ->
          sql.update(WITHDRAW, it.atMs(), it.taskId().value(), it.kind().word());
      case InboxChange.Merged(var merge) -> merge(sql, merge);
    }
  }

  private static void insert(Statements sql, Notice notice) throws SQLException {
    var subject = notice.subject();
    var standing = notice.standing();
    sql.update(
        INSERT,
        notice.id(),
        subject.sessionId().value(),
        subject.taskId().value(),
        subject.label(),
        notice.kind().word(),
        notice.event(),
        standing.status().word(),
        standing.exitCode(),
        standing.elapsedMs(),
        notice.seq(),
        notice.atMs(),
        notice.merged());
  }

  /** Nothing is deleted unless the merged notice exists. */
  private static void merge(Statements sql, Merge merge) throws SQLException {
    if (sql.update(MERGE, merge.kept().merged(), merge.kept().id()) > 0) {
      for (var id : merge.gone()) {
        sql.update(DELETE, id);
      }
    }
  }

  static void taskRemoved(Statements sql, TaskId taskId) throws SQLException {
    sql.update(TASK_REMOVED, taskId.value());
  }

  static void put(Statements sql, Memo memo) throws SQLException {
    var value = memo.value();
    if (value == null) {
      sql.update(FORGET_MEMO, memo.name(), memo.sessionId().value());
    } else {
      sql.update(PUT_MEMO, memo.name(), memo.sessionId().value(), value);
    }
  }
}
