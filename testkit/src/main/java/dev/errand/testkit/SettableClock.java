package dev.errand.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it. */
public final class SettableClock implements InstantSource {
  private final AtomicReference<Instant> now;

  public SettableClock(Instant now) {
    this.now = new AtomicReference<>(now);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  public void set(Instant instant) {
    now.set(instant);
  }

  public void advance(Duration duration) {
    now.updateAndGet(it -> it.plus(duration));
  }
}
