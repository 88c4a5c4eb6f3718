package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import java.sql.SQLException;

/**
 * Stores the sessions of a task's ancestors, also after its removal; runs inside the writer's
 * transaction.
 */
final class DescentSql {

  /** The first one: the session of the task that started it. */
  static final String PUT_PARENT =
      """
      INSERT OR IGNORE INTO descent (session_id, task_id)
      SELECT session_id, ?1 FROM tasks INDEXED BY tasks_by_id WHERE id = ?2 AND session_id <> ?3
      """;

  /** The others: the sessions of its further ancestors. */
  static final String PUT_OTHERS =
      """
      INSERT OR IGNORE INTO descent (session_id, task_id)
      SELECT session_id, ?1 FROM descent INDEXED BY descent_by_task
      WHERE task_id = ?2 AND session_id <> ?3
      """;

  /** For a removed task; in a separate table, so that lists never read it. */
  static final String KEEP =
      """
      INSERT OR IGNORE INTO removed_descent (task_id, session_id)
      SELECT task_id, session_id FROM descent INDEXED BY descent_by_task WHERE task_id = ?
      """;

  static final String DELETE = "DELETE FROM descent WHERE task_id = ?";

  private DescentSql() {}

  static void put(Statements sql, TaskRow row) throws SQLException {
    var parent = row.parent();
    if (parent != null) {
      var session = row.sessionId().value();
      sql.update(PUT_PARENT, row.id().value(), parent.value(), session);
      sql.update(PUT_OTHERS, row.id().value(), parent.value(), session);
    }
  }

  static void removed(Statements sql, TaskId taskId) throws SQLException {
    sql.update(KEEP, taskId.value());
    sql.update(DELETE, taskId.value());
  }
}
