package dev.errand.bench;

import java.time.Duration;

/** How long benches wait for what must come. */
final class Waits {
  static final Duration LONG = Duration.ofMinutes(2);

  private Waits() {}
}
