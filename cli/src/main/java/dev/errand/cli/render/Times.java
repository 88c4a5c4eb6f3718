package dev.errand.cli.render;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Spans and points of time, as a person reads and writes them. */
public final class Times {
  private static final String LOCAL = "yyyy-MM-dd HH:mm:ss";

  private Times() {}

  /**
   * A span in at most two units: {@code 0.3s}, {@code 12s}, {@code 4m05s}, {@code 3h20m}. Formatted
   * by hand, since every list has spans and loading the JDK's formatter takes longer than printing
   * the rest.
   */
  public static String span(Duration span) {
    var millis = Math.max(0, span.toMillis());
    var seconds = millis / 1_000;
    if (seconds < 10) {
      return seconds + "." + millis % 1_000 / 100 + "s";
    }
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3_600) {
      return seconds / 60 + "m" + twoDigits(seconds % 60) + "s";
    }
    var hours = seconds / 3_600;
    return hours < 48
        ? hours + "h" + twoDigits(seconds % 3_600 / 60) + "m"
        : hours / 24 + "d" + twoDigits(hours % 24) + "h";
  }

  private static String twoDigits(long number) {
    return (number < 10 ? "0" : "") + number;
  }

  /** A point of time on the person's own clock. */
  public static String local(Instant at) {
    var format = DateTimeFormatter.ofPattern(LOCAL, Locale.ROOT);
    return format.format(at.atZone(ZoneId.systemDefault()));
  }
}
