package dev.errand.daemon.store.sqlite;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What the writer does for one caller, and the caller's wait for it. The answer is found while the
 * transaction is open and told only when it is committed.
 */
final class Job<T> {
  private final Work<T> work;
  private final long bytes;
  private final CompletableFuture<T> told = new CompletableFuture<>();
  private @Nullable T answer;
  private @Nullable RuntimeException refusal;

  /** Throws a RuntimeException to refuse, which undoes what this work alone has changed. */
  interface Work<T> {
    T run(WriteSession session) throws SQLException;
  }

  Job(long bytes, Work<T> work) {
    this.bytes = bytes;
    this.work = work;
  }

  /** About how much it adds to the transaction. */
  long bytes() {
    return bytes;
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

  /** Tells the caller what was found; to be called once the transaction is committed. */
  void tell() {
    if (answer != null) {
      told.complete(answer);
    } else if (refusal != null) {
      told.completeExceptionally(refusal);
    } else {
      told.completeExceptionally(new IllegalStateException("told before it was attempted"));
    }
  }

  /** Tells the caller that nothing came of it, whatever was found before. */
  void fail(RuntimeException failure) {
    told.completeExceptionally(failure);
  }

  /**
   * Waits without heed of interrupts, which stay pending: a caller that left here would not know
   * whether its batch became true.
   */
  T await() {
    try {
      return told.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
