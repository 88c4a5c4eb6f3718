package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Share;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A screen for one who looks again and again: rendered when there is something new, not faster. */
final class ScreenWatch {
  private static final Duration BETWEEN_MIN = Duration.ofMillis(100);
  private static final Duration BETWEEN_MAX = Duration.ofSeconds(2);

  /** Of the time, rendering takes this part at most, so that a flood of output does not eat it. */
  private static final int RENDERING_SHARE = 5;

  private final Terminals terminals;
  private final Share share;
  private Terminals.@Nullable View view;
  private long takenForSeq = -1;
  private long takenForBytes = -1;
  private final Time clock;
  private long nextAtNanos;

  ScreenWatch(Terminals terminals, Share share, Time clock) {
    this.terminals = terminals;
    this.share = share;
    this.clock = clock;
    this.nextAtNanos = clock.ticks();
  }

  /** The screen at this moment; null where it was rendered only just before. */
  Terminals.@Nullable View at(Moment moment) throws InterruptedException {
    var known = view;
    if (known != null
        && takenForSeq >= moment.seq()
        && takenForBytes >= moment.total(LogStream.PTY)) {
      return known;
    }
    if (!moment.ended() && moment.nanos() < nextAtNanos) {
      return null;
    }
    var started = clock.ticks();
    var fresh = terminals.view(share, moment.taskId());
    var took = Duration.ofNanos(clock.ticks() - started);
    view = fresh;
    takenForSeq = fresh.seq();
    takenForBytes = moment.total(LogStream.PTY);
    nextAtNanos = clock.ticks() + pauseAfter(took).toNanos();
    return fresh;
  }

  /** When it may be rendered again. */
  Duration again(Moment moment) {
    var left = Duration.ofNanos(nextAtNanos - moment.nanos());
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
