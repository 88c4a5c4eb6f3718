package dev.errand.daemon.store.sqlite;

import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * When commits are synced to disk: each before it is acknowledged, lazy ones with the next sync or
 * shortly later by a separate thread. Without full durability SQLite decides.
 *
 * <p>{@link #choose} and {@link #committed} are called by the writer only.
 */
final class Syncs implements AutoCloseable {
  private static final Duration LATER = Duration.ofMillis(100);

  private final Connection connection;
  private final @Nullable FileChannel log;
  private final JournalFailure health;
  private final Time clock;
  private final Semaphore due = new Semaphore(0);
  private final AtomicBoolean unsynced = new AtomicBoolean();
  private final Signal closed = new Signal();
  private final Thread thread;
  private boolean lazy;

  private Syncs(
      Connection connection, @Nullable FileChannel log, JournalFailure health, Time clock) {
    this.connection = connection;
    this.log = log;
    this.health = health;
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("journal-sync").unstarted(this::run);
  }

  static Syncs start(Connections connections, Connection writer, JournalFailure health, Time clock)
      throws IOException {
    var syncs = new Syncs(writer, connections.log().orElse(null), health, clock);
    if (syncs.log != null) {
      syncs.thread.start();
    }
    return syncs;
  }

  /** Whether the commit of the next transaction need not wait for the disk. */
  void choose(boolean lazily) throws SQLException {
    if (log == null || lazily == lazy) {
      return;
    }
    // SQLite obeys when it compiles this, not when it is run: it cannot be prepared once.
    try (var statement = connection.createStatement()) {
      statement.executeUpdate("PRAGMA synchronous = " + (lazily ? "NORMAL" : "FULL"));
    }
    lazy = lazily;
  }

  /** A transaction was committed; a sync includes all earlier ones. */
  void committed() {
    unsynced.set(lazy);
    if (lazy && due.availablePermits() == 0) {
      due.release();
    }
  }

  private void run() {
    try {
      due.acquire();
      while (!clock.await(closed, LATER)) {
        due.drainPermits();
        sync();
        due.acquire();
      }
    } catch (IOException e) {
      if (health.fail(e)) {
        health.tell();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void sync() throws IOException {
    var file = log;
    if (file != null && unsynced.getAndSet(false)) {
      file.force(false);
    }
  }

  /** The rest is synced by SQLite at the next checkpoint. */
  @Override
  public void close() {
    closed.raise();
    due.release();
    try {
      // The failure handler may call close on that thread.
      if (!Thread.currentThread().equals(thread)) {
        thread.join();
      }
      if (log != null) {
        log.close();
      }
    } catch (IOException _) {
      // It was only open for syncs.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
