package dev.errand.daemon.inbox;

/** A length of time as people say it. */
final class Elapsed {
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;

  private Elapsed() {}

  /** Such as {@code 5s}, {@code 2m 34s} or {@code 1h 15m 20s}. */
  static String text(long millis) {
    var seconds = millis / 1_000;
    if (seconds == 0) {
      return "<1s";
    }
    var text = seconds % MINUTE + "s";
    if (seconds >= MINUTE) {
      text = seconds % HOUR / MINUTE + "m " + text;
    }
    return seconds >= HOUR ? seconds / HOUR + "h " + text : text;
  }
}
