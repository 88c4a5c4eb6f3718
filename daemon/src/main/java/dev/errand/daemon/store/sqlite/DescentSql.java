package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.TaskRow;
import java.sql.SQLException;

/** Notes for a new task which sessions stand above it; inside the writer's transaction. */
final class DescentSql {

  /** The first of them: that of the task which started it. */
  static final String PUT_PARENT =
      """
      INSERT OR IGNORE INTO descent (session_id, task_id)
      SELECT session_id, ?1 FROM tasks INDEXED BY tasks_by_id WHERE id = ?2 AND session_id <> ?3
      """;

  /** The others: those above that one. */
  static final String PUT_OTHERS =
      """
      INSERT OR IGNORE INTO descent (session_id, task_id)
      SELECT session_id, ?1 FROM descent INDEXED BY descent_by_task
      WHERE task_id = ?2 AND session_id <> ?3
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
}
