package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Changes the database with group commit: the leader takes all waiting jobs, runs them in one
 * transaction, each in its own savepoint, commits once, and then wakes the other callers. So one
 * sync serves all callers that came during the last one, and a single caller needs no thread
 * switch.
 *
 * <p>After a failed commit the content of the disk is unknown, and after a failed sync the kernel
 * may have dropped pages that it reports as clean; so the journal fails permanently and
 * acknowledges nothing more. The only exception is a full disk, see {@link #isNoRoom}.
 */
final class Writer implements AutoCloseable {
  private final WriteJobQueue queue = new WriteJobQueue();
  private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();
  private final WriteSession session;
  private final JournalFailure health;
  private final BooleanSupplier moreRoom;

  private boolean untold;

  /**
   * Takes ownership of the session. If the disk is full, {@code moreRoom} may free space and return
   * true.
   */
  Writer(WriteSession session, JournalFailure health, BooleanSupplier moreRoom) {
    this.session = session;
    this.health = health;
    this.moreRoom = moreRoom;
  }

  /** Runs the work in a transaction and returns its result when it is durable. */
  <T> T run(long bytes, WriteJob.Work<T> work) {
    return run(new WriteJob<>(bytes, false, work));
  }

  /** The same for a job that may be acknowledged before the sync. */
  <T> T run(WriteJob<T> job) {
    if (health.failed() || !queue.offer(job)) {
      throw health.exception();
    }
    if (job.awaitTurn()) {
      lead();
    }
    return job.answer();
  }

  private void lead() {
    var group = queue.take();
    try {
      execute(group);
    } catch (SQLException | RuntimeException | Error e) {
      untold = health.fail(e) || untold;
      queue.close();
      group.forEach(job -> job.fail(health.exception()));
    }
    if (queue.pass()) {
      finish();
    }
  }

  /** Returns when all waiting jobs are done and the connection is closed. */
  @Override
  public void close() {
    if (queue.close()) {
      finish();
    }
    stopped.join();
  }

  /** There is no leader and will be none. */
  private void finish() {
    try {
      session.close();
    } catch (SQLException e) {
      untold = health.fail(e) || untold;
    }
    stopped.complete(true);
    if (untold) {
      // The handler may wait for the caller whose thread this is.
      Thread.ofPlatform().daemon().name("journal-failed").start(health::tell);
    }
  }

  private void execute(List<WriteJob<?>> group) throws SQLException {
    if (health.failed()) {
      group.forEach(job -> job.fail(health.exception()));
      return;
    }
    var noRoom = transact(group);
    if (noRoom != null && moreRoom.getAsBoolean()) {
      noRoom = transact(group);
    }
    if (noRoom == null) {
      group.forEach(WriteJob::tell);
    } else {
      // Refusals too: one may depend on a job of the same group that was rolled back.
      var failure = noRoom;
      group.forEach(job -> job.fail(noRoom(failure)));
    }
  }

  /** Commits the whole group; returns the failure if there was no room, and nothing is changed. */
  private @Nullable SQLException transact(List<WriteJob<?>> group) throws SQLException {
    var committing = false;
    try {
      session.begin(group.stream().allMatch(WriteJob::lazy));
      if (!session.attempt(group)) {
        session.rollback();
        return null;
      }
      committing = true;
      session.commit();
      return null;
    } catch (SQLException e) {
      if (!isNoRoom(e, committing)) {
        throw e;
      }
      session.undo();
      return e;
    }
  }

  /**
   * Whether the disk was full before the transaction could be committed, so that a rollback is
   * certain and the journal can continue.
   *
   * <p>Pages reach the write-ahead log by plain writes: some before the commit, if the cache runs
   * over, the rest in the commit, the page with the commit mark last. SQLITE_FULL comes only from
   * such a write (or earlier, from the page limit). So the log has no valid commit mark, nothing
   * was synced, and the shared index of readers is unchanged; the next transaction overwrites the
   * pages. Any other failure in the commit may come from the sync or the index, after the mark, and
   * is permanent. A checkpoint without disk space fails no commit: it leaves the log unchanged and
   * is retried.
   */
  private static boolean isNoRoom(SQLException e, boolean committing) {
    if (!(e instanceof SQLiteException failure)) {
      return false;
    }
    var code = failure.getResultCode();
    return code == SQLiteErrorCode.SQLITE_FULL
        || (code == SQLiteErrorCode.SQLITE_IOERR_WRITE && !committing);
  }

  private static ErrandException noRoom(SQLException cause) {
    return new ErrandException(
        ErrorCode.INSUFFICIENT_STORAGE,
        "the disk of the journal is full; nothing was recorded; free some space and try again",
        cause);
  }
}
