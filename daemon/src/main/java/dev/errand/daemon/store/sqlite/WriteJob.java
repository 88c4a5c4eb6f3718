package dev.errand.daemon.store.sqlite;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What is done for one caller, and the caller's wait for it. The answer is found while the
 * transaction is open and told only when it is committed.
 */
final class WriteJob<T> {
  private final Work<T> work;
  private final long bytes;
  private final boolean lazy;
  private final CompletableFuture<Turn> turn = new CompletableFuture<>();
  private @Nullable T answer;
  private @Nullable RuntimeException refusal;

  /** Why the caller need not wait any more. */
  private enum Turn {
    LEADS,
    TOLD
  }

  /** Throws a RuntimeException to refuse, which undoes what this work alone has changed. */
  interface Work<T> {
    T run(WriteSession session) throws SQLException;
  }

  WriteJob(long bytes, boolean lazy, Work<T> work) {
    this.bytes = bytes;
    this.lazy = lazy;
    this.work = work;
  }

  /** About how much it adds to the transaction. */
  long bytes() {
    return bytes;
  }

  /** Whether it may be told before it is synced. */
  boolean lazy() {
    return lazy;
  }

  /** False if it was refused and what it changed must be undone. */
  boolean attempt(WriteSession session) throws SQLException {
    // It may be done again, when a full disk has undone the transaction.
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

  /** It is the caller's turn to do this job and all others that wait. */
  void lead() {
    turn.complete(Turn.LEADS);
  }

  /** Tells the caller what was found; to be called once the transaction is committed. */
  void tell() {
    turn.complete(Turn.TOLD);
  }

  /** Tells the caller that nothing came of it, whatever was found before. */
  void fail(RuntimeException failure) {
    answer = null;
    refusal = failure;
    turn.complete(Turn.TOLD);
  }

  /**
   * Waits until the job is done, or until the caller has to do it: then true. Waits without heed of
   * interrupts, which stay pending: a caller that left here would not know whether its batch became
   * true.
   */
  boolean awaitTurn() {
    return turn.join() == Turn.LEADS;
  }

  /** What was found; for the caller, once it was told or has led. */
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
