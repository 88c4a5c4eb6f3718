package dev.errand.daemon.store.sqlite;

import dev.errand.core.time.Time;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Checks the pages and indexes of a whole database. It reads the whole file, so it has its own
 * connection and can be cancelled.
 */
final class IntegrityCheck implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IntegrityCheck.class);

  /** The result is one word, or a description of the fault. */
  private static final String CHECK = "PRAGMA integrity_check(1)";

  private static final String SOUND = "ok";

  private static final Duration CANCEL_AGAIN = Duration.ofMillis(5);

  private final Connections connections;
  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private @Nullable Statement running;
  private boolean closed;

  IntegrityCheck(Connections connections, Time clock) {
    this.connections = connections;
    this.clock = clock;
  }

  /** The first fault that SQLite finds; empty if there is none, or the check was cancelled. */
  Optional<String> firstFault() throws SQLException {
    try (var connection = connections.inspector();
        var statement = connection.createStatement()) {
      try {
        return begin(statement) ? firstFault(statement) : Optional.empty();
      } finally {
        end();
      }
    } catch (SQLiteException e) {
      if (e.getResultCode() == SQLiteErrorCode.SQLITE_INTERRUPT) {
        return Optional.empty();
      }
      // The file may not even open.
      if (DamageState.isShownBy(e)) {
        return Optional.of(e.getResultCode().name());
      }
      throw e;
    }
  }

  private static Optional<String> firstFault(Statement statement) throws SQLException {
    try (var answer = statement.executeQuery(CHECK)) {
      return Optional.of(answer.getString(1)).filter(it -> !it.equals(SOUND));
    }
  }

  private boolean begin(Statement statement) {
    lock.lock();
    try {
      running = statement;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      running = null;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isUnderWay() {
    lock.lock();
    try {
      return running != null;
    } finally {
      lock.unlock();
    }
  }

  /** Cancels a running check and prevents new ones; returns when it has ended. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      while (running != null) {
        // Repeated, since a statement that has just begun may miss the cancel.
        running.cancel();
        var _ = clock.awaitNanos(lock, ended, CANCEL_AGAIN.toNanos());
      }
    } catch (SQLException e) {
      log.warn("the check of the journal cannot be cancelled", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
