package dev.errand.cli.command;

import dev.errand.core.task.TerminalSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of options as a person writes them. */
final class Values {
  private static final Pattern DURATION_PART =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|[smhd])");
  private static final Pattern DURATION =
      Pattern.compile("(?:" + DURATION_PART.pattern().replace("(\\d", "(?:\\d") + ")+");
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,3})?) ?(|b|[kmgt]|[kmgt]i?b)");

  private static final Pattern TERMINAL_SIZE = Pattern.compile("(\\d{1,4})x(\\d{1,4})");

  private Values() {}

  /** {@code 500ms}, {@code 90s}, {@code 1h30m}, {@code 2d}; a bare number is seconds. */
  static Duration duration(String text) {
    var lower = text.strip().toLowerCase(Locale.ROOT);
    if (lower.matches("\\d{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(lower));
    }
    if (!DURATION.matcher(lower).matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration; use 500ms, 90s, 5m, 1h30m or 2d");
    }
    var sum = Duration.ZERO;
    var parts = DURATION_PART.matcher(lower);
    while (parts.find()) {
      var millis = new BigDecimal(parts.group(1)).multiply(millisPer(parts.group(2)));
      sum = sum.plusMillis(millis.longValue());
    }
    return sum;
  }

  private static BigDecimal millisPer(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "ms" -> 1L;
          case "s" -> 1_000L;
          case "m" -> 60_000L;
          case "h" -> 3_600_000L;
          case "d" -> 86_400_000L;
          default -> throw new IllegalStateException("not a unit of the pattern: " + unit);
        });
  }

  /** {@code 24x80}: rows, then columns. */
  static TerminalSize terminalSize(String text) {
    var parts = TERMINAL_SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (parts.matches()) {
      try {
        return new TerminalSize(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
    throw new TypeConversionException(
        "'" + text + "' is not a terminal size; use rows and columns such as 24x80");
  }

  /** {@code 4096}, {@code 64k}, {@code 10MiB}, {@code 1.5g}; units are powers of 1,024. */
  static long size(String text) {
    var parts = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a size; use 4096, 64KiB, 10MiB or 1GiB");
    }
    var unit = parts.group(2);
    var power = unit.isEmpty() ? 0 : "bkmgt".indexOf(unit.charAt(0));
    return new BigDecimal(parts.group(1))
        .multiply(BigDecimal.valueOf(1L << (10 * power)))
        .longValue();
  }

  /** The number of a frame, or a duration. */
  static String since(String text) {
    if (!isSeq(text)) {
      var _ = duration(text);
    }
    return text;
  }

  static boolean isSeq(String text) {
    return text.matches("\\d{1,12}");
  }

  static int count(String text) {
    if (!text.matches("\\d{1,9}")) {
      throw new TypeConversionException("'" + text + "' is not a number from 0 to 999999999");
    }
    return Integer.parseInt(text);
  }

  /** {@code 10:20}, {@code 10:}, {@code :20} or {@code 10}. */
  static String lineRange(String text) {
    if (!text.matches("\\d{1,12}|\\d{1,12}:\\d{0,12}|:\\d{1,12}")) {
      throw new TypeConversionException(
          "'" + text + "' is not a range of lines; use 10:20, 10:, :20 or 10");
    }
    return text;
  }

  /** How many times as fast: {@code 2}, {@code 0.5}. */
  static double factor(String text) {
    if (!text.matches("\\d{1,6}(\\.\\d{1,6})?") || Double.parseDouble(text) == 0) {
      throw new UsageException("'" + text + "' is not a speed; use 2 or 0.5");
    }
    return Double.parseDouble(text);
  }

  static String oneOf(Set<String> words, String text) {
    if (!words.contains(text)) {
      throw new TypeConversionException("'" + text + "' is not one of " + String.join(", ", words));
    }
    return text;
  }
}
