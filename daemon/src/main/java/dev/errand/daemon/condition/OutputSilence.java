package dev.errand.daemon.condition;

import dev.errand.core.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Measures for how long a running task has written nothing, over repeated checks. */
final class OutputSilence {
  private final TaskFrames frames;
  private final Time clock;
  private final Duration atMost;

  private Observation.@Nullable Running process;
  private long bytesTotal;
  private long sinceNanos;

  /** Times longer than {@code atMost} need not be exact. */
  OutputSilence(TaskFrames frames, Time clock, Duration atMost) {
    this.frames = frames;
    this.clock = clock;
    this.atMost = atMost;
  }

  /** The time since the last output, or since the start where there was none. */
  Duration of(Observation seen, Observation.Running running) {
    if (!running.equals(process)) {
      process = running;
      sinceNanos = seen.nanos() - atFirst(seen, running).toNanos();
    } else if (seen.bytesTotal() > bytesTotal) {
      sinceNanos = seen.nanos();
    }
    bytesTotal = seen.bytesTotal();
    return Duration.ofNanos(seen.nanos() - sinceNanos);
  }

  private Duration atFirst(Observation seen, Observation.Running running) {
    var nowMs = clock.millis();
    var lastMs =
        seen.bytesTotal() == 0 || seen.pendingAtMs() > 0
            ? seen.pendingAtMs()
            : frames.lastOutputMs(seen.taskId(), seen.seq(), nowMs - atMost.toMillis());
    return Duration.ofMillis(Math.max(0, nowMs - Math.max(running.startedAtMs(), lastMs)));
  }
}
