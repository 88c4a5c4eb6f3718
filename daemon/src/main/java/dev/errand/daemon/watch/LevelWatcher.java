package dev.errand.daemon.watch;

import dev.errand.core.engine.Snapshot;
import dev.errand.daemon.condition.CheckResult;
import dev.errand.daemon.condition.Probe;
import dev.errand.daemon.condition.Snippet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Watches a condition that is checked at intervals, unlike text, which is scanned. It hits when the
 * condition becomes true, and again only after it was false. Some conditions become false with the
 * next output, the others when a check shows it.
 */
final class LevelWatcher {
  /** How often a condition that is true is checked again. */
  private static final Duration TRUE_POLL = Duration.ofMillis(300);

  private static final Duration UNTIL_FRAME = Duration.ofDays(1);
  private static final long UNKNOWN = -1;

  private final Probe probe;
  private boolean isTrue;
  private long trueAtBytes = UNKNOWN;
  private long nextNanos;
  private Duration again = Duration.ZERO;

  /**
   * @param isTrue whether it was true at the last check, which may have been by an earlier watcher
   */
  LevelWatcher(Probe probe, boolean isTrue, long nowNanos) {
    this.probe = probe;
    this.isTrue = isTrue;
    this.nextNanos = nowNanos;
  }

  /** The snippet of the hit if it has just become true; else null. */
  @Nullable String check(Snapshot snapshot, long nowNanos) throws InterruptedException {
    var bytes = bytes(snapshot);
    if (isTrue && probe.holdsUntilOutput()) {
      trueAtBytes = trueAtBytes == UNKNOWN ? bytes : trueAtBytes;
      if (bytes == trueAtBytes) {
        again = UNTIL_FRAME;
        return null;
      }
      isTrue = false;
    }
    if (nowNanos < nextNanos) {
      again = Duration.ofNanos(nextNanos - nowNanos);
      return null;
    }
    return switch (probe.check(snapshot)) {
      case CheckResult.NotYet(var soon) -> {
        isTrue = false;
        again = soon;
        yield null;
      }
      case CheckResult.Holds(var met) -> {
        var isNew = !isTrue;
        isTrue = true;
        trueAtBytes = bytes;
        again = TRUE_POLL;
        nextNanos = nowNanos + TRUE_POLL.toNanos();
        yield isNew ? Snippet.of(met.snippet()) : null;
      }
    };
  }

  /** The time from the last check to the next. */
  Duration again() {
    return again;
  }

  private static long bytes(Snapshot snapshot) {
    return snapshot.logEnds().values().stream().mapToLong(Long::longValue).sum();
  }
}
