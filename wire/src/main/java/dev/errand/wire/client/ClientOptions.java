package dev.errand.wire.client;

import java.time.Duration;

/**
 * How patient a client is.
 *
 * @param patience how long a daemon that was there before may be gone before calls give up
 * @param answerTimeout how long one answer may take beyond what the request asks to wait
 * @param silenceMax how long an event stream may be wholly quiet before it counts as dead
 */
public record ClientOptions(Duration patience, Duration answerTimeout, Duration silenceMax) {
  public static final ClientOptions DEFAULT =
      new ClientOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(45));

  public ClientOptions withPatience(Duration time) {
    return new ClientOptions(time, answerTimeout, silenceMax);
  }
}
