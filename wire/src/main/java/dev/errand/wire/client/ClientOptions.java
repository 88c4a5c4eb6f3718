package dev.errand.wire.client;

import java.time.Duration;

/**
 * How patient a client is, and how it ends.
 *
 * @param patience how long a daemon that was there before may be gone before calls give up
 * @param answerTimeout how long one answer may take beyond what the request asks to wait
 * @param silenceMax how long an event stream may be wholly quiet before it counts as dead
 * @param endsWithProcess whether a client that is closed may leave connections that nobody uses to
 *     the end of the process
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

  /** For programs that live for a moment: the JDK takes longer to close a socket than to end. */
  public ClientOptions endingWithProcess() {
    return new ClientOptions(patience, answerTimeout, silenceMax, true);
  }
}
