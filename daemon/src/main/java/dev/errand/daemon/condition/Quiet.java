package dev.errand.daemon.condition;

import dev.errand.core.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** For how long a running task has written nothing, as one who looks again and again sees it. */
final class Quiet {
  private final TaskFrames frames;
  private final Time clock;
  private final Duration atMost;

  private Moment.@Nullable Running process;
  private long bytesTotal;
  private long sinceNanos;

  /** Whoever asks does not care how much longer than {@code atMost} it has been. */
  Quiet(TaskFrames frames, Time clock, Duration atMost) {
    this.frames = frames;
    this.clock = clock;
    this.atMost = atMost;
  }

  /** The time since the last output, or since the start where there was none. */
  Duration at(Moment moment, Moment.Running running) {
    if (!running.equals(process)) {
      process = running;
      sinceNanos = moment.nanos() - atFirst(moment, running).toNanos();
    } else if (moment.bytesTotal() > bytesTotal) {
      sinceNanos = moment.nanos();
    }
    bytesTotal = moment.bytesTotal();
    return Duration.ofNanos(moment.nanos() - sinceNanos);
  }

  private Duration atFirst(Moment moment, Moment.Running running) {
    var nowMs = clock.millis();
    var lastMs =
        moment.bytesTotal() == 0 || moment.pendingAtMs() > 0
            ? moment.pendingAtMs()
            : frames.lastOutputMs(moment.taskId(), moment.seq(), nowMs - atMost.toMillis());
    return Duration.ofMillis(Math.max(0, nowMs - Math.max(running.startedAtMs(), lastMs)));
  }
}
