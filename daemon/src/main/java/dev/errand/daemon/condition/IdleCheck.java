package dev.errand.daemon.condition;

import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Whether a running task has written nothing for a time. */
final class IdleCheck implements Check {
  private final Duration quiet;
  private final TaskFrames frames;
  private final InstantSource clock;

  private Moment.@Nullable Running process;
  private long bytesTotal;
  private long quietSinceNanos;

  IdleCheck(Duration quiet, TaskFrames frames, InstantSource clock) {
    this.quiet = quiet;
    this.frames = frames;
    this.clock = clock;
  }

  @Override
  public Verdict look(Moment moment) {
    if (moment.process() == null) {
      return Verdict.UNTIL_FRAME;
    }
    if (!moment.process().equals(process)) {
      process = moment.process();
      quietSinceNanos = moment.nanos() - quietAtFirst(moment, moment.process()).toNanos();
    } else if (moment.bytesTotal() > bytesTotal) {
      quietSinceNanos = moment.nanos();
    }
    bytesTotal = moment.bytesTotal();
    var since = Duration.ofNanos(moment.nanos() - quietSinceNanos);
    var left = quiet.minus(since);
    return left.isPositive()
        ? new Verdict.NotYet(left)
        : new Verdict.Holds(new Held.Idle(moment.seq(), since));
  }

  /** How long it had been silent when it was first looked at, or longer than is asked for. */
  private Duration quietAtFirst(Moment moment, Moment.Running running) {
    var nowMs = clock.millis();
    var lastMs =
        moment.bytesTotal() == 0
            ? 0
            : frames.lastOutputMs(moment.taskId(), moment.seq(), nowMs - quiet.toMillis());
    return Duration.ofMillis(Math.max(0, nowMs - Math.max(running.startedAtMs(), lastMs)));
  }
}
