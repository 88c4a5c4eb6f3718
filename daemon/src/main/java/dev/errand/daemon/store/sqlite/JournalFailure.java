package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether the journal has failed. The first failure is permanent and reported once. */
final class JournalFailure {
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Consumer<Throwable> onFailure;
  private final DamageState damage;

  JournalFailure(Consumer<Throwable> onFailure, DamageState damage) {
    this.onFailure = onFailure;
    this.damage = damage;
  }

  boolean failed() {
    return failure.get() != null;
  }

  /**
   * Records a failure; from now on nothing is acknowledged. True if it is the first one, which must
   * be reported.
   */
  boolean fail(Throwable cause) {
    if (DamageState.isShownBy(cause)) {
      damage.suspect();
    }
    return failure.compareAndSet(null, cause);
  }

  /** Reports the failure; separate from {@link #fail}, so that callers get their answer first. */
  void tell() {
    var cause = failure.get();
    if (cause != null) {
      onFailure.accept(cause);
    }
  }

  /** Records that a read found damage. The rest of the file can still be read. */
  ErrandException damaged(SQLException cause) {
    damage.suspect();
    return new ErrandException(
        ErrorCode.RECORD_DAMAGED,
        "the requested data is in a damaged part of the journal; errand restart repairs what can"
            + " be repaired: "
            + cause.getMessage(),
        cause);
  }

  /** A new exception each time, since each is thrown in another thread. */
  ErrandException exception() {
    var cause = failure.get();
    if (cause == null) {
      return new ErrandException(ErrorCode.JOURNAL_FAILED, "the journal is closed");
    }
    return new ErrandException(
        ErrorCode.JOURNAL_FAILED,
        "the journal has failed and accepts nothing until the daemon is restarted: "
            + cause.getMessage(),
        cause);
  }
}
