package dev.errand.daemon.store.sqlite;

import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * A few read-only connections that see only committed data, each used by one caller at a time.
 * Waiting for one parks a virtual thread; the reads themselves are short native calls.
 */
final class ReadPool implements AutoCloseable {
  private final Semaphore permits;
  private final int size;
  private final Queue<Statements> idle;
  private final JournalFailure health;
  private volatile boolean closed;

  ReadPool(List<Statements> connections, JournalFailure health) {
    this.size = connections.size();
    this.permits = new Semaphore(size);
    this.idle = new ConcurrentLinkedQueue<>(connections);
    this.health = health;
  }

  /** One read on a connection. */
  interface Query<T> {
    T run(Statements sql) throws SQLException;
  }

  /**
   * A failed read fails the journal, since the file can no longer be trusted. Damage in one place
   * of the file only fails reads of that place.
   */
  <T> T read(Query<T> query) {
    permits.acquireUninterruptibly();
    try {
      var connection = closed ? null : idle.poll();
      if (connection == null) {
        throw health.exception();
      }
      try {
        return query.run(connection);
      } catch (SQLException e) {
        connection.forget();
        throw e;
      } finally {
        idle.add(connection);
      }
    } catch (SQLException e) {
      if (DamageState.isShownBy(e)) {
        throw health.damaged(e);
      }
      if (health.fail(e)) {
        health.tell();
      }
      throw health.exception();
    } finally {
      permits.release();
    }
  }

  /** Returns when the last read has ended. */
  @Override
  public void close() {
    permits.acquireUninterruptibly(size);
    try {
      closed = true;
      for (var connection = idle.poll(); connection != null; connection = idle.poll()) {
        connection.close();
      }
    } catch (SQLException e) {
      if (health.fail(e)) {
        health.tell();
      }
    } finally {
      permits.release(size);
    }
  }
}
