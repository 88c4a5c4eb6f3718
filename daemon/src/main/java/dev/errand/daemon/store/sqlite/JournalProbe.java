package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.HomeMark;
import dev.errand.daemon.store.JournalSize;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Reads the file of a journal without changes: no repair and no migration. A daemon may have it
 * open. Not thread-safe.
 */
public final class JournalProbe implements AutoCloseable {
  private static final String HAS_HOME =
      "SELECT EXISTS (SELECT 1 FROM pragma_table_info('meta') WHERE name = 'home_id')";

  private static final String HAS_TASK =
      """
      SELECT EXISTS (SELECT 1 FROM tasks WHERE id = ?1)
        OR EXISTS (SELECT 1 FROM tombstones WHERE task_id = ?1)
      """;

  private final @Nullable Statements sql;
  private final JournalSize size;
  private final @Nullable HomeMark mark;
  private @Nullable SQLException fault;

  private JournalProbe(@Nullable Statements sql, JournalSize size, @Nullable HomeMark mark) {
    this.sql = sql;
    this.size = size;
    this.mark = mark;
  }

  /**
   * Opens the file; an empty probe if there is no journal, INSUFFICIENT_STORAGE if the disk is
   * full.
   */
  public static JournalProbe at(Path file) throws IOException {
    if (JournalFile.isGone(file)) {
      return new JournalProbe(null, JournalSize.NOTHING, null);
    }
    @Nullable Statements sql = null;
    try {
      sql = new Statements(new Connections(file, Durability.NORMAL).reader());
      var hasHome = sql.number(HAS_HOME) == 1;
      return new JournalProbe(
          sql, JournalHome.size(sql), hasHome ? JournalHome.mark(sql).orElse(null) : null);
    } catch (SQLException e) {
      close(sql);
      checkRoom(file, e);
      var damaged = new JournalProbe(null, JournalSize.NOTHING, null);
      damaged.fault = e;
      return damaged;
    }
  }

  /** Even a reader needs disk space for an index file next to the journal. */
  private static void checkRoom(Path file, SQLException e) {
    if (e instanceof SQLiteException failure
        && (failure.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE
            || failure.getResultCode() == SQLiteErrorCode.SQLITE_FULL)) {
      throw new ErrandException(
          ErrorCode.INSUFFICIENT_STORAGE,
          "the disk is full, so " + file + " cannot be read; free some space first",
          e);
    }
  }

  /** Why it cannot be read; empty if it can. */
  public Optional<String> fault() {
    return Optional.ofNullable(fault).map(it -> String.valueOf(it.getMessage()));
  }

  public JournalSize size() {
    return size;
  }

  public @Nullable HomeMark mark() {
    return mark;
  }

  /** Whether it has this task or its tombstone; false if it cannot be read. */
  public boolean knows(TaskId taskId) {
    var open = sql;
    try {
      return open != null && open.number(HAS_TASK, taskId.value()) == 1;
    } catch (SQLException e) {
      fault = e;
      return false;
    }
  }

  @Override
  public void close() {
    close(sql);
  }

  private static void close(@Nullable Statements sql) {
    try {
      if (sql != null) {
        sql.close();
      }
    } catch (SQLException _) {
      // Nothing was changed, so nothing can be lost.
    }
  }
}
