package dev.errand.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints figures as they are found, and remembers which missed their target. */
final class Report {
  private final PrintStream out;
  private final List<String> missed = new ArrayList<>();

  Report(PrintStream out) {
    this.out = out;
  }

  void title(String name, Bench bench) {
    out.printf("%n%s: %s%n", name, bench.what());
    out.printf("  load average %s%n", load());
  }

  /** Something to know about the figures around it. */
  void note(String text) {
    out.println("  " + text);
  }

  /** A figure that others are compared with, or that stands for itself. */
  void figure(String what, double value, String unit) {
    line(what, value, unit, "");
  }

  /** A figure with its share of a reference, and the least share that it should have. */
  void atLeast(String what, double value, String unit, double reference, double least) {
    var ratio = value / reference;
    line(what, value, unit, "%.2f of the reference%s".formatted(ratio, target(what, ratio, least)));
  }

  /** A figure as a multiple of a reference, and the most that it should be. */
  void atMostTimes(String what, double value, String unit, double reference, double most) {
    var ratio = value / reference;
    line(
        what,
        value,
        unit,
        "%.2f times the reference, target <= %s: %s"
            .formatted(ratio, number(most), verdict(what, ratio <= most)));
  }

  /** A figure that should stay below a bound. */
  void below(String what, double value, String unit, double most) {
    line(what, value, unit, "target < %s: %s".formatted(number(most), verdict(what, value < most)));
  }

  private String target(String what, double ratio, double least) {
    return least == 0
        ? ""
        : ", target >= %s: %s".formatted(number(least), verdict(what, ratio >= least));
  }

  private String verdict(String what, boolean met) {
    if (!met) {
      missed.add(what);
    }
    return met ? "met" : "MISSED";
  }

  private void line(String what, double value, String unit, String more) {
    out.printf("  %-58s %12s %-6s %s%n", what, number(value), unit, more);
  }

  static String number(double value) {
    if (value == Math.rint(value) || Math.abs(value) >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.3f", value);
  }

  /** All that missed, at the end. */
  void close() {
    out.println();
    out.println(missed.isEmpty() ? "All targets were met." : "Missed: " + missed);
  }

  static double median(double... values) {
    var sorted = Arrays.copyOf(values, values.length);
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** How busy the machine is with other things too; figures of a busy one say little. */
  private static @Nullable String load() {
    try {
      return Files.readString(Path.of("/proc/loadavg")).strip();
    } catch (IOException e) {
      return "not known";
    }
  }
}
