package dev.errand.cli.render;

import java.util.List;
import java.util.Locale;

/** Numbers of bytes, as a person reads them. */
public final class Sizes {
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
  private static final double STEP = 1_024;

  private Sizes() {}

  public static String text(long bytes) {
    double value = bytes;
    var unit = 0;
    while (value >= STEP && unit < UNITS.size() - 1) {
      value /= STEP;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS.get(unit));
  }
}
