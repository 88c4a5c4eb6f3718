package dev.errand.host;

import dev.errand.testkit.RealClockSuite;
import java.util.Map;

/** The host measures and waits by the clock that its composition root hands on. */
final class RealClockTest extends RealClockSuite {
  @Override
  protected Class<?> module() {
    return Host.class;
  }

  @Override
  protected Map<String, String> byRealTime() {
    return Map.of(
        "linux.Poller", "the rest of a flooded loop belongs to the time-outs of epoll",
        "process.StartBarrier",
            "looks for a process that the kernel is making, and its start waits",
        "protocol.HintPacing", "answers wait behind a hint for less than a millisecond");
  }
}
