package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Memo;
import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskId;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Writes the inbox changes and memos of a batch; runs inside the writer's transaction. */
final class InboxSql {
  private static final String INSERT =
      """
      INSERT INTO notices (id, session_id, task_id, label, kind, event, status, exit_code,
        elapsed_ms, seq, at_ms, merged, likeness, acknowledged_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
      """;

  static final String LIKE_IT =
      """
      SELECT id, merged FROM notices INDEXED BY notices_by_likeness
      WHERE task_id = ? AND likeness = ? AND acknowledged_at_ms = 0
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
      case InboxChange.Arrived it -> arrived(sql, it);
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

  private record Alike(String id, long merged) {}

  /** Takes the place of what tells the same. */
  private static void arrived(Statements sql, InboxChange.Arrived arrived) throws SQLException {
    var notice = arrived.notice();
    var likeness = arrived.likeness();
    var count = (long) notice.merged();
    if (likeness != null) {
      var taskId = notice.subject().taskId().value();
      for (var it :
          sql.list(LIKE_IT, row -> new Alike(row.getString(1), row.getLong(2)), taskId, likeness)) {
        count += it.merged();
        sql.update(DELETE, it.id());
      }
    }
    insert(sql, notice.standingFor(Math.clamp(count, 1, Integer.MAX_VALUE)), likeness);
  }

  private static void insert(Statements sql, Notice notice, @Nullable String likeness)
      throws SQLException {
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
        notice.merged(),
        likeness);
  }

  /** Nothing is deleted unless the merged notice exists, and all that it counts for do. */
  private static void merge(Statements sql, Merge merge) throws SQLException {
    var sessionId = merge.kept().subject().sessionId().value();
    for (var id : merge.gone()) {
      if (sql.number(InboxQueries.IS_WAITING, id, sessionId) == 0) {
        return;
      }
    }
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
