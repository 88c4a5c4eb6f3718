package dev.errand.wire.client;

import java.time.Duration;

/**
 * Timeouts of a client, and how it closes.
 *
 * @param patience how long calls retry after a known daemon is gone
 * @param answerTimeout how long a response may take beyond the requested wait
 * @param silenceMax how long an event stream may be silent before it counts as dead
 * @param endsWithProcess whether close may leave idle connections open until the process ends
 */
public record ClientOptions(
    Duration patience, Duration answerTimeout, Duration silenceMax, boolean endsWithProcess) {
  public static final ClientOptions DEFAULT =
      new ClientOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(45));

  public ClientOptions(Duration patience, Duration answerTimeout, Duration silenceMax) {
    this(patience, answerTimeout, silenceMax, false);
  }

  public ClientOptions withPatience(Duration time) {
    return new ClientOptions(time, answerTimeout, silenceMax, endsWithProcess);
  }

  /** For short programs: the JDK takes longer to close a socket than to exit. */
  public ClientOptions endingWithProcess() {
    return new ClientOptions(patience, answerTimeout, silenceMax, true);
  }
}
