package dev.errand.daemon;

import dev.errand.testkit.RealClockSuite;
import java.util.Map;

/** The daemon measures and waits by the clock that its composition root hands on. */
final class RealClockTest extends RealClockSuite {
  @Override
  protected Class<?> module() {
    return Daemon.class;
  }

  @Override
  protected Map<String, String> byRealTime() {
    return Map.of();
  }
}
