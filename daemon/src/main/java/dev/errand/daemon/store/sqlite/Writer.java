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
 * Changes the database, for one caller at a time: whoever leads takes all jobs that wait, does them
 * in one transaction, each behind a savepoint of its own, commits once, and then tells the others.
 * So one sync of the disk serves all who came while the last one was under way, and who is alone
 * pays for no change of threads.
 *
 * <p>A commit that fails leaves open what is on the disk, and after a failed sync the kernel may
 * have dropped pages that it reports as clean; so the journal is failed for good and nothing is
 * acknowledged any more. A full disk is the one exception, see {@link #isNoRoom}.
 */
final class Writer implements AutoCloseable {
  private final WriteJobQueue queue = new WriteJobQueue();
  private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();
  private final WriteSession session;
  private final JournalFailure health;
  private final BooleanSupplier moreRoom;

  private boolean untold;

  /** Takes the session over. Where the disk is full, {@code moreRoom} may free some and say so. */
  Writer(WriteSession session, JournalFailure health, BooleanSupplier moreRoom) {
    this.session = session;
    this.health = health;
    this.moreRoom = moreRoom;
  }

  /** Does the work in a transaction and returns its answer when that is durable. */
  <T> T run(long bytes, WriteJob.Work<T> work) {
    return run(new WriteJob<>(bytes, false, work));
  }

  /** The same for a job that may be told earlier. */
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

  /** Returns when all that waited is done and the connection is closed. */
  @Override
  public void close() {
    if (queue.close()) {
      finish();
    }
    stopped.join();
  }

  /** Nobody leads any more, and nobody will. */
  private void finish() {
    try {
      session.close();
    } catch (SQLException e) {
      untold = health.fail(e) || untold;
    }
    stopped.complete(true);
    if (untold) {
      // Whoever is told may wait for the very caller on whose thread this runs.
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
      // Refusals too: one may have rested on a job of the same group that is undone now.
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
   * Whether the disk was full before anything of the transaction could become true, so that undoing
   * it is certain and the journal may go on.
   *
   * <p>Pages reach the write-ahead log by plain writes: some before the commit, if the cache runs
   * over, the rest in the commit, the page with the commit mark last. SQLITE_FULL comes only from
   * such a write (or earlier, from the page limit). So there is no valid commit mark in the log,
   * nothing was synced, and the shared index that readers go by was not touched; the next
   * transaction writes over what is there. Any other failure in the commit may come from the sync
   * or from the index, behind the mark, and is not forgiven. A checkpoint that finds no room fails
   * no commit: it leaves the log as it is and is tried again.
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
        "the disk of the journal is full; nothing was recorded, make room and try again",
        cause);
  }
}
