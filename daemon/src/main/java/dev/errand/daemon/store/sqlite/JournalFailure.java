package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether the journal has failed; the first failure is told, once, and is for good. */
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

  /** From now on nothing is acknowledged; true if this is the first failure, still to be told. */
  boolean fail(Throwable cause) {
    if (DamageState.isShownBy(cause)) {
      damage.suspect();
    }
    return failure.compareAndSet(null, cause);
  }

  /** Tells of the failure; apart from {@link #fail} so that callers are answered first. */
  void tell() {
    var cause = failure.get();
    if (cause != null) {
      onFailure.accept(cause);
    }
  }

  /** Takes note that a read came upon damage. The rest of the file can still be read. */
  ErrandException damaged(SQLException cause) {
    damage.suspect();
    return new ErrandException(
        ErrorCode.RECORD_DAMAGED,
        "what was asked for lies in a damaged part of the journal; errand restart mends what can"
            + " be mended: "
            + cause.getMessage(),
        cause);
  }

  /** A new exception each time, since each is thrown in a thread of its own. */
  ErrandException exception() {
    var cause = failure.get();
    if (cause == null) {
      return new ErrandException(ErrorCode.JOURNAL_FAILED, "the journal is closed");
    }
    return new ErrandException(
        ErrorCode.JOURNAL_FAILED,
        "the journal has failed and takes nothing more until the daemon starts again: "
            + cause.getMessage(),
        cause);
  }
}
