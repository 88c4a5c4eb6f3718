package dev.errand.daemon.watch;

import dev.errand.core.engine.Snapshot;
import dev.errand.daemon.condition.Probe;
import dev.errand.daemon.condition.Snippet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A condition that is looked at, not read: it hits when it comes to hold, and again only after it
 * had ceased to. Some cease with the next output, all else when it is seen to.
 */
final class Edge {
  /** How often it is looked whether what holds still does. */
  private static final Duration HELD_POLL = Duration.ofMillis(300);

  private static final Duration UNTIL_FRAME = Duration.ofDays(1);
  private static final long UNKNOWN = -1;

  private final Probe probe;
  private boolean holding;
  private long heldBytes = UNKNOWN;
  private long nextNanos;
  private Duration again = Duration.ZERO;

  /**
   * @param holding whether it held when it was last looked at, by whoever that was
   */
  Edge(Probe probe, boolean holding, long nowNanos) {
    this.probe = probe;
    this.holding = holding;
    this.nextNanos = nowNanos;
  }

  /** What to say of it where it has just come to hold; else null. */
  @Nullable String look(Snapshot snapshot, long nowNanos) throws InterruptedException {
    var bytes = bytes(snapshot);
    if (holding && probe.holdsUntilOutput()) {
      heldBytes = heldBytes == UNKNOWN ? bytes : heldBytes;
      if (bytes == heldBytes) {
        again = UNTIL_FRAME;
        return null;
      }
      holding = false;
    }
    if (nowNanos < nextNanos) {
      again = Duration.ofNanos(nextNanos - nowNanos);
      return null;
    }
    return switch (probe.look(snapshot)) {
      case Probe.Seen.NotYet(var soon) -> {
        holding = false;
        again = soon;
        yield null;
      }
      case Probe.Seen.Holds(var held) -> {
        var isNew = !holding;
        holding = true;
        heldBytes = bytes;
        again = HELD_POLL;
        nextNanos = nowNanos + HELD_POLL.toNanos();
        yield isNew ? Snippet.of(held.snippet()) : null;
      }
    };
  }

  /** When to look again, counted from the last look. */
  Duration again() {
    return again;
  }

  private static long bytes(Snapshot snapshot) {
    return snapshot.logEnds().values().stream().mapToLong(Long::longValue).sum();
  }
}
