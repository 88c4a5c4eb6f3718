package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether the journal has failed; the first failure is told, once, and is for good. */
final class Health {
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Consumer<Throwable> onFailure;

  Health(Consumer<Throwable> onFailure) {
    this.onFailure = onFailure;
  }

  boolean failed() {
    return failure.get() != null;
  }

  /** From now on nothing is acknowledged; true if this is the first failure, still to be told. */
  boolean fail(Throwable cause) {
    return failure.compareAndSet(null, cause);
  }

  /** Tells of the failure; apart from {@link #fail} so that callers are answered first. */
  void tell() {
    var cause = failure.get();
    if (cause != null) {
      onFailure.accept(cause);
    }
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
