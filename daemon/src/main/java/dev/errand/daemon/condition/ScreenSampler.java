package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The screen of a task for repeated checks: rendered only when there is new output, and not too
 * often.
 */
final class ScreenSampler {
  private static final Duration BETWEEN_MIN = Duration.ofMillis(100);
  private static final Duration BETWEEN_MAX = Duration.ofSeconds(2);

  /** Of the time, rendering takes this part at most, so that a flood of output does not eat it. */
  private static final int RENDERING_SHARE = 5;

  private final ScreenSource terminals;
  private final Share share;
  private ScreenSource.@Nullable View view;
  private long takenForSeq = -1;
  private long takenForBytes = -1;
  private final Time clock;
  private long nextAtNanos;

  ScreenSampler(ScreenSource terminals, Share share, Time clock) {
    this.terminals = terminals;
    this.share = share;
    this.clock = clock;
    this.nextAtNanos = clock.ticks();
  }

  /** The screen at this observation; null if it was rendered only just before. */
  ScreenSource.@Nullable View at(Observation seen) throws InterruptedException {
    var known = view;
    if (known != null && takenForSeq >= seen.seq() && takenForBytes >= seen.total(LogStream.PTY)) {
      return known;
    }
    if (!seen.ended() && seen.nanos() < nextAtNanos) {
      return null;
    }
    var started = clock.ticks();
    var fresh = terminals.view(share, seen.taskId());
    var took = Duration.ofNanos(clock.ticks() - started);
    view = fresh;
    takenForSeq = fresh.seq();
    takenForBytes = seen.total(LogStream.PTY);
    nextAtNanos = clock.ticks() + pauseAfter(took).toNanos();
    return fresh;
  }

  /** The time until it may be rendered again. */
  Duration again(Observation seen) {
    var left = Duration.ofNanos(nextAtNanos - seen.nanos());
    return left.isPositive() ? left : Duration.ofMillis(1);
  }

  private static Duration pauseAfter(Duration took) {
    var pause = took.multipliedBy(RENDERING_SHARE);
    if (pause.compareTo(BETWEEN_MIN) < 0) {
      return BETWEEN_MIN;
    }
    return pause.compareTo(BETWEEN_MAX) > 0 ? BETWEEN_MAX : pause;
  }
}
