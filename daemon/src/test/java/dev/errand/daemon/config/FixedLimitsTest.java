package dev.errand.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits that are constants are on the page of settings, with the values that they have. */
final class FixedLimitsTest {
  private static final Path PAGE =
      Path.of(System.getProperty("errand.root", "..")).resolve("docs/reference/config.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]+) \\| ([^|]+) \\| `([\\w.]+)\\.(\\w+)` \\|$");
  private static final Pattern CODE = Pattern.compile("`([A-Z_]+)`");
  private static final List<String> SIZES = List.of("bytes", "KiB", "MiB", "GiB", "TiB", "PiB");

  record Row(String value, String beyond, String type, String constant) {}

  static Stream<Row> rows() throws IOException {
    return ROW.matcher(Files.readString(PAGE))
        .results()
        .map(it -> new Row(it.group(1), it.group(2), it.group(3), it.group(4)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void each_value_on_the_page_is_that_of_its_constant(Row row) throws Exception {
    assertThat(row.value()).isEqualTo(text(row.constant(), value(row)));
    CODE.matcher(row.beyond()).results().forEach(it -> ErrorCode.valueOf(it.group(1)));
  }

  @Test
  void the_page_has_such_rows() throws IOException {
    assertThat(rows()).hasSizeGreaterThan(50);
  }

  /**
   * Each bound in there is one that a caller meets. Those of single fields of a spawn are in the
   * catalogue of fields, and so in the table of that request.
   */
  @ParameterizedTest
  @ValueSource(strings = {"wire.json.SecretFields", "wire.http.HttpBounds"})
  void no_bound_of_a_request_is_missing(String type) throws Exception {
    var bounds =
        Arrays.stream(Class.forName("dev.errand." + type).getDeclaredFields())
            .filter(it -> Modifier.isStatic(it.getModifiers()) && it.getName().endsWith("_MAX"))
            .map(it -> it.getName());

    assertThat(rows().filter(it -> it.type().equals(type)).map(Row::constant))
        .containsExactlyInAnyOrderElementsOf(bounds.toList());
  }

  private static Object value(Row row) throws ReflectiveOperationException {
    var field = Class.forName("dev.errand." + row.type()).getDeclaredField(row.constant());
    field.setAccessible(true);
    return field.get(null);
  }

  private static String text(String name, Object value) {
    if (value instanceof Duration time) {
      return time(time);
    }
    var number = ((Number) value).longValue();
    if (name.contains("_MS_")) {
      return time(Duration.ofMillis(number));
    }
    if (name.contains("SECONDS")) {
      return time(Duration.ofSeconds(number));
    }
    if (name.contains("BYTES")) {
      return size(number);
    }
    var digits = String.format(Locale.ROOT, "%,d", number);
    return name.contains("CHARS") ? digits + " characters" : digits;
  }

  private static String time(Duration time) {
    if (time.toMillisPart() > 0) {
      return time.toMillis() + " ms";
    }
    if (time.toHours() % 24 == 0 && time.toDays() > 0) {
      return time.toDays() + " d";
    }
    return time.toSeconds() % 3_600 == 0 ? time.toHours() + " h" : time.toSeconds() + " s";
  }

  private static String size(long bytes) {
    var unit = 0;
    var left = bytes;
    while (left >= 1_024 && left % 1_024 == 0) {
      left /= 1_024;
      unit++;
    }
    return String.format(Locale.ROOT, "%,d %s", left, SIZES.get(unit));
  }
}
