package dev.errand.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How tests ask again for what they wait for: soon, and for long. JUnit finds it by its name in
 * META-INF, so it holds for every test that sees this module.
 */
public final class Polling implements BeforeAllCallback {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  /** Passed only where something hangs, also on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(INTERVAL);
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
