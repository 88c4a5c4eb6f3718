package dev.errand.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.errand.core.error.ErrandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code docs/reference/config.md} names every setting, with its default and its range. */
final class ConfigPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("errand.root", "..")).resolve("docs/reference/config.md");
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `([a-z_.]+)` \\| (\\w+) \\| `?([^|`]+)`? \\| ([^|]*)\\| (\\w+) \\| \\S");
  private static final Pattern KNOWN = Pattern.compile("use one of: (.*)");
  private static final Pattern RULE_ROW =
      Pattern.compile("(?m)^\\| `\\[\\[policy.rule]]` `([a-z_]+)` \\|");

  record Row(String key, String kind, String standard, String range, String reload) {
    Row free() {
      return new Row(key, kind, standard, "", reload);
    }

    String set(String value) {
      var dot = key.indexOf('.');
      return dot < 0
          ? key + " = " + value + "\n"
          : "[%s]\n%s = %s\n".formatted(key.substring(0, dot), key.substring(dot + 1), value);
    }

    long bound(int index) {
      return Long.parseLong(range.split(" to ", -1)[index]);
    }
  }

  @Test
  void the_page_says_of_each_setting_what_the_program_does() {
    var due =
        ConfigFile.load("", "x").settings().stream()
            .map(it ->
                new Row(it.key(), it.kind(), it.standard(), it.range(), it.live() ? "yes" : "no"));

    assertThat(rows().map(it -> it.range().isEmpty() || isFree(it.key()) ? it.free() : it))
        .containsExactlyInAnyOrderElementsOf(due.toList());
  }

  /** Of a setting that has no range for the reader of the file, the page may say more. */
  private static boolean isFree(String key) {
    return ConfigFile.load("", "x").settings().stream()
        .anyMatch(it -> it.key().equals(key) && it.range().isEmpty());
  }

  @Test
  void every_key_of_a_rule_is_on_the_page() throws IOException {
    var rule = "[[policy.rule]]\nmatch = 'x'\ndecision = 'allow'\nno_such_key = 1";
    var failure = catchThrowable(() -> ConfigFile.parse(rule, "x"));
    var names = KNOWN.matcher(String.valueOf(failure.getMessage()));
    assertThat(names.find()).as("%s", failure.getMessage()).isTrue();

    var onPage = RULE_ROW.matcher(Files.readString(PAGE)).results().map(it -> it.group(1));
    assertThat(onPage).containsExactlyInAnyOrder(names.group(1).split(", ", -1));
  }

  @ParameterizedTest
  @MethodSource("rowsWithDefault")
  void what_the_page_calls_the_default_changes_nothing(Row row) {
    assertThat(ConfigFile.parse(row.set(row.standard()), "x")).isEqualTo(Config.DEFAULTS);
  }

  @ParameterizedTest
  @MethodSource("rowsWithRange")
  void the_range_on_the_page_is_the_range_that_is_taken(Row row) {
    ConfigFile.parse(row.set(Long.toString(row.bound(0))), "x");
    ConfigFile.parse(row.set(Long.toString(row.bound(1))), "x");

    assertRefused(row.set(Long.toString(row.bound(0) - 1)));
    assertRefused(row.set(Long.toString(row.bound(1) + 1)));
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> ConfigFile.parse(text, "x"))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("must be a number from");
  }

  static Stream<Row> rowsWithDefault() {
    return rows().filter(it -> !it.standard().equals(Setting.NONE));
  }

  static Stream<Row> rowsWithRange() {
    return rows().filter(it -> it.kind().equals("count"));
  }

  private static Stream<Row> rows() {
    try {
      return ROW.matcher(Files.readString(PAGE))
          .results()
          .map(it ->
              new Row(it.group(1), it.group(2), it.group(3), it.group(4).strip(), it.group(5)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
