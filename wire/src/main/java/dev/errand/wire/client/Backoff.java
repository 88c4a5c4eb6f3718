package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Decides after a lost connection whether to try again, and waits a little longer each time. */
final class Backoff {
  private static final long PAUSE_MS_MIN = 50;

  /** A restart takes a second or two, and a retry is cheap. */
  private static final long PAUSE_MS_MAX = 250;

  private final Duration patience;
  private long pauseMs = PAUSE_MS_MIN;
  private @Nullable Long failingSinceNanos;

  Backoff(Duration patience) {
    this.patience = patience;
  }

  /** The daemon answered: resets the backoff. */
  void progress() {
    pauseMs = PAUSE_MS_MIN;
    failingSinceNanos = null;
  }

  /** Waits before the next attempt; throws if a retry is useless or the patience is over. */
  void pause(IOException failure) {
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted();
    }
    if (failure instanceof BadAnswerException) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "invalid answer: " + failure.getMessage());
    }
    var now = System.nanoTime();
    var since = failingSinceNanos == null ? now : failingSinceNanos;
    failingSinceNanos = since;
    if (now - since + pauseMs * 1_000_000 > patience.toNanos()) {
      throw gaveUp(failure);
    }
    sleep(pauseMs);
    pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted();
    }
  }

  private RuntimeException gaveUp(IOException failure) {
    if (failure.getCause() instanceof ErrandException refusal) {
      return refusal;
    }
    return new NoDaemonException(
        "no daemon answers since " + patience.toSeconds() + " s (" + failure + ")", failure);
  }

  private static CancellationException interrupted() {
    return new CancellationException("interrupted while waiting for the daemon");
  }
}
