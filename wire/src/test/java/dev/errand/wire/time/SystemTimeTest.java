package dev.errand.wire.time;

import dev.errand.core.time.Time;
import dev.errand.testkit.TimeSuite;
import java.time.Duration;

final class SystemTimeTest extends TimeSuite {
  private final Time clock = new SystemTime();

  @Override
  protected Time clock() {
    return clock;
  }

  @Override
  protected void pass(Duration time) throws InterruptedException {
    clock.sleep(time);
  }
}
