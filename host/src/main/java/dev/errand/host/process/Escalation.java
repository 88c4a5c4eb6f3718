package dev.errand.host.process;

import dev.errand.host.linux.PosixSignal;
import dev.errand.host.record.HostRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a task by force: TERM, then KILL after the grace. Started at most once. */
final class Escalation {
  private static final Duration HANG_UP_AGAIN = Duration.ofMillis(100);

  private final IoLoop loop;
  private final Recorder recorder;
  private final SignalTarget target;
  private @Nullable String cause;
  private @Nullable String step;
  private Timers.@Nullable Timer graceTimer;
  private Timers.@Nullable Timer hangUpTimer;
  private long graceEndsNanos;

  Escalation(IoLoop loop, Recorder recorder, SignalTarget target) {
    this.loop = loop;
    this.recorder = recorder;
    this.target = target;
  }

  boolean begun() {
    return cause != null;
  }

  @Nullable String cause() {
    return cause;
  }

  /** The last step that was done. */
  @Nullable String step() {
    return step;
  }

  void begin(String why, Duration grace) {
    if (begun()) {
      return;
    }
    cause = why;
    take("term", why);
    target.end();
    graceEndsNanos = loop.now() + grace.toNanos();
    graceTimer = loop.at(graceEndsNanos, () -> kill(why));
    hangUpAfter(HANG_UP_AGAIN);
  }

  private void hangUpAfter(Duration pause) {
    hangUpTimer =
        loop.after(
            pause,
            () -> {
              if (inGrace()) {
                target.hangUp();
                hangUpAfter(pause.multipliedBy(2));
              }
            });
  }

  /** Ends the grace now; a process without TERM so far gets none. */
  void hasten(String why) {
    if ("kill".equals(step)) {
      return;
    }
    end();
    cause = cause == null ? why : cause;
    graceEndsNanos = loop.now();
    kill(cause);
  }

  private void kill(String why) {
    take("kill", why);
    target.send(PosixSignal.KILL);
  }

  private void take(String name, String why) {
    step = name;
    recorder.add(it -> new HostRecord.KillStep(it, name, why, List.of(target.leader())));
  }

  /** Whether the processes that got TERM still have time. */
  boolean inGrace() {
    return "term".equals(step) && loop.now() < graceEndsNanos;
  }

  /** The leader is dead: no further step. */
  void end() {
    cancel(graceTimer);
    cancel(hangUpTimer);
  }

  private void cancel(Timers.@Nullable Timer timer) {
    if (timer != null) {
      loop.cancel(timer);
    }
  }
}
