package dev.errand.daemon.store.sqlite;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The work of one caller, and the caller's wait for it. The result is computed in the transaction
 * and returned only after the commit.
 */
final class WriteJob<T> {
  private final Work<T> work;
  private final long bytes;
  private final boolean lazy;
  private final CompletableFuture<Turn> turn = new CompletableFuture<>();
  private @Nullable T answer;
  private @Nullable RuntimeException refusal;

  /** Why the caller stops waiting. */
  private enum Turn {
    LEADS,
    TOLD
  }

  /** Throws a RuntimeException to refuse, which rolls back only this work. */
  interface Work<T> {
    T run(WriteSession session) throws SQLException;
  }

  WriteJob(long bytes, boolean lazy, Work<T> work) {
    this.bytes = bytes;
    this.lazy = lazy;
    this.work = work;
  }

  /** Its approximate size in the transaction. */
  long bytes() {
    return bytes;
  }

  /** Whether it may be acknowledged before it is synced. */
  boolean lazy() {
    return lazy;
  }

  /** False if it was refused and must be rolled back. */
  boolean attempt(WriteSession session) throws SQLException {
    // It may run again after a rollback because of a full disk.
    answer = null;
    refusal = null;
    try {
      answer = work.run(session);
      return true;
    } catch (RuntimeException e) {
      refusal = e;
      return false;
    }
  }

  /** Makes the caller the leader, which runs this job and all others that wait. */
  void lead() {
    turn.complete(Turn.LEADS);
  }

  /** Gives the caller the result; called once the transaction is committed. */
  void tell() {
    turn.complete(Turn.TOLD);
  }

  /** Gives the caller the failure instead of a result. */
  void fail(RuntimeException failure) {
    answer = null;
    refusal = failure;
    turn.complete(Turn.TOLD);
  }

  /**
   * Waits until the job is done, or until the caller becomes the leader: then true. Interrupts are
   * ignored and stay pending: an interrupted caller would not know whether its batch was committed.
   */
  boolean awaitTurn() {
    return turn.join() == Turn.LEADS;
  }

  /** The result, after the wait. */
  T answer() {
    var failure = refusal;
    if (failure != null) {
      throw failure;
    }
    var found = answer;
    if (found == null) {
      throw new IllegalStateException("asked before it was attempted");
    }
    return found;
  }
}
