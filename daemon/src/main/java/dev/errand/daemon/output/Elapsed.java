package dev.errand.daemon.output;

import java.time.Duration;

/** How long something took, to the second. */
public final class Elapsed {

  private Elapsed() {}

  /** {@code <1s}, {@code 5s}, {@code 2m 30s}, {@code 1h 15m 20s}. */
  public static String text(Duration time) {
    if (time.toSeconds() < 1) {
      return "<1s";
    }
    var seconds = time.toSecondsPart() + "s";
    if (time.toMinutes() < 1) {
      return seconds;
    }
    var minutes = time.toMinutesPart() + "m " + seconds;
    return time.toHours() < 1 ? minutes : time.toHours() + "h " + minutes;
  }
}
