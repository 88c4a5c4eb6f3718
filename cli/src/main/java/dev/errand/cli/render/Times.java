package dev.errand.cli.render;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Spans and points of time, as a person reads and writes them. */
public final class Times {
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private Times() {}

  /** A span in at most two units: {@code 0.3s}, {@code 12s}, {@code 4m05s}, {@code 3h20m}. */
  public static String span(Duration span) {
    var millis = Math.max(0, span.toMillis());
    var seconds = millis / 1_000;
    if (seconds < 10) {
      return "%d.%ds".formatted(seconds, millis % 1_000 / 100);
    }
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3_600) {
      return "%dm%02ds".formatted(seconds / 60, seconds % 60);
    }
    var hours = seconds / 3_600;
    return hours < 48
        ? "%dh%02dm".formatted(hours, seconds % 3_600 / 60)
        : "%dd%02dh".formatted(hours / 24, hours % 24);
  }

  /** A point of time on the person's own clock. */
  public static String local(Instant at) {
    return LOCAL.format(at.atZone(ZoneId.systemDefault()));
  }
}
