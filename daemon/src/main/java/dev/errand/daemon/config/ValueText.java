package dev.errand.daemon.config;

import dev.errand.wire.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Values in the form of the file, which is also valid JSON. */
public final class ValueText {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*(B|KiB|MiB|GiB|TiB)?");

  private static final List<String> SIZE_UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
  private static final Map<String, Duration> TIME_UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private ValueText() {}

  static @Nullable Duration time(String text) {
    var match = TIME.matcher(text);
    if (!match.matches()) {
      return null;
    }
    var unit = TIME_UNITS.getOrDefault(match.group(2), Duration.ZERO);
    return unit.multipliedBy(Long.parseLong(match.group(1)));
  }

  static @Nullable Long size(String text) {
    var match = SIZE.matcher(text);
    if (!match.matches()) {
      return null;
    }
    var number = Long.parseLong(match.group(1));
    var shift = 10 * SIZE_UNITS.indexOf(match.group(2) == null ? "B" : match.group(2));
    return number > Long.MAX_VALUE >> shift ? null : (Long) (number << shift);
  }

  /** In the largest unit that divides it; days only from two on. */
  public static String plain(Duration time) {
    var millis = time.toMillis();
    for (var unit : List.of("d", "h", "m", "s")) {
      var size = TIME_UNITS.getOrDefault(unit, Duration.ZERO).toMillis();
      if (millis != 0 && millis % size == 0 && (!unit.equals("d") || millis > size)) {
        return millis / size + unit;
      }
    }
    return millis + (millis == 0 ? "s" : "ms");
  }

  static String of(Duration time) {
    return quoted(plain(time));
  }

  /** In the largest unit that divides it; a plain number if none does. */
  static String ofBytes(long bytes) {
    for (var i = SIZE_UNITS.size() - 1; i > 0; i--) {
      var size = 1L << (10 * i);
      if (bytes != 0 && bytes % size == 0) {
        return quoted(bytes / size + SIZE_UNITS.get(i));
      }
    }
    return Long.toString(bytes);
  }

  static String of(List<String> texts) {
    return "[" + String.join(", ", texts.stream().map(ValueText::quoted).toList()) + "]";
  }

  static String quoted(@Nullable String text) {
    return text == null ? Setting.NONE : Json.text(JsonNodeFactory.instance.stringNode(text));
  }
}
