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
 * The one thread that changes the database. It takes all jobs that wait, does them in one
 * transaction, each behind a savepoint of its own, commits once, and then tells the callers: so one
 * sync of the disk serves all who came while the last one was under way.
 *
 * <p>A commit that fails leaves open what is on the disk, and after a failed sync the kernel may
 * have dropped pages that it reports as clean; so the journal is failed for good and nothing is
 * acknowledged any more. A full disk is the one exception, see {@link #isNoRoom}.
 */
final class Writer implements AutoCloseable {
  private final JobQueue queue = new JobQueue();
  private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();
  private final WriteSession session;
  private final Health health;
  private final BooleanSupplier moreRoom;

  private Writer(WriteSession session, Health health, BooleanSupplier moreRoom) {
    this.session = session;
    this.health = health;
    this.moreRoom = moreRoom;
  }

  /**
   * Takes the session over. Where the disk is full, {@code moreRoom} may free some and say so. Not
   * a virtual thread, since it spends its time in native calls.
   */
  static Writer start(WriteSession session, Health health, BooleanSupplier moreRoom) {
    var writer = new Writer(session, health, moreRoom);
    Thread.ofPlatform().name("journal-writer").daemon().start(writer::loop);
    return writer;
  }

  /** Does the work in a transaction and returns its answer when that is durable. */
  <T> T run(long bytes, Job.Work<T> work) {
    var job = new Job<>(bytes, work);
    if (health.failed() || !queue.offer(job)) {
      throw health.exception();
    }
    return job.await();
  }

  /** Returns when all that waited is done and the connection is closed. */
  @Override
  public void close() {
    queue.close();
    stopped.join();
  }

  private void loop() {
    var firstToFail = false;
    for (var group = queue.take(); !group.isEmpty(); group = queue.take()) {
      try {
        execute(group);
      } catch (SQLException | RuntimeException | Error e) {
        firstToFail |= health.fail(e);
        queue.close();
        group.forEach(job -> job.fail(health.exception()));
      }
    }
    firstToFail |= closeSession();
    stopped.complete(true);
    if (firstToFail) {
      health.tell();
    }
  }

  private void execute(List<Job<?>> group) throws SQLException {
    if (health.failed()) {
      group.forEach(job -> job.fail(health.exception()));
      return;
    }
    var noRoom = transact(group);
    if (noRoom != null && moreRoom.getAsBoolean()) {
      noRoom = transact(group);
    }
    if (noRoom == null) {
      group.forEach(Job::tell);
    } else {
      // Refusals too: one may have rested on a job of the same group that is undone now.
      var failure = noRoom;
      group.forEach(job -> job.fail(noRoom(failure)));
    }
  }

  /** Commits the whole group; returns the failure if there was no room, and nothing is changed. */
  private @Nullable SQLException transact(List<Job<?>> group) throws SQLException {
    var committing = false;
    try {
      session.begin();
      for (var job : group) {
        session.attempt(job);
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

  private boolean closeSession() {
    try {
      session.close();
      return false;
    } catch (SQLException e) {
      return health.fail(e);
    }
  }
}
