package dev.errand.host.process;

import dev.errand.host.linux.Processes;
import dev.errand.host.linux.Signal;
import dev.errand.host.record.HostRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a process group against its will: TERM, and after the grace KILL. Begun at most once. */
final class Escalation {
  private final IoLoop loop;
  private final Recorder recorder;
  private final long group;
  private @Nullable String cause;
  private @Nullable String step;
  private Timers.@Nullable Timer graceTimer;
  private long graceEndsNanos;

  Escalation(IoLoop loop, Recorder recorder, long group) {
    this.loop = loop;
    this.recorder = recorder;
    this.group = group;
  }

  boolean begun() {
    return cause != null;
  }

  @Nullable String cause() {
    return cause;
  }

  /** The last step that was taken. */
  @Nullable String step() {
    return step;
  }

  void begin(String why, Duration grace) {
    if (begun()) {
      return;
    }
    cause = why;
    take("term", why, Signal.TERM);
    // A stopped process cannot act on TERM before it goes on.
    Processes.signalGroup(group, Signal.CONT);
    graceEndsNanos = System.nanoTime() + grace.toNanos();
    graceTimer = loop.at(graceEndsNanos, () -> take("kill", why, Signal.KILL));
  }

  private void take(String name, String why, Signal signal) {
    step = name;
    recorder.add(it -> new HostRecord.KillStep(it, name, why, List.of(group)));
    Processes.signalGroup(group, signal);
  }

  /** Whether those who were told to end may still take their time. */
  boolean inGrace() {
    return "term".equals(step) && System.nanoTime() < graceEndsNanos;
  }

  /** The leader is dead: no further step. */
  void end() {
    var timer = graceTimer;
    if (timer != null) {
      loop.cancel(timer);
    }
  }
}
